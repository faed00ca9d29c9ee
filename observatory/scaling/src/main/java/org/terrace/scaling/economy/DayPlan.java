package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;

/**
 * The configurations to run through a day that repeats, chosen so that profit less the starts of
 * servers is highest. Immutable.
 *
 * <p>Income at a load that lies between two measured ones is not measured: it is interpolated, as a
 * straight line from one to the other, and from no users and no income up to the least measured
 * load too. {@link Step#interpolated} marks it. It is not known beyond the greatest measured load,
 * nor on a line over a load at which most trials of the configuration failed. Each hour is planned
 * with the configurations of which it is known then. Hours of which it is known of none are {@link
 * Untold}. Found by dynamic programming over the day from each configuration to itself, exactly so
 * for up to {@value #MOST_CANDIDATES} of them, else among the most profitable. {@link LeftOut}
 * names those that the plan does not choose from, and for which loads.
 *
 * @param steps what runs when, a step for each load of the day
 * @param untold the stretches of the day that cannot be planned, since trials failed
 * @param profitPerDay the profit of the day's steps, starts of servers subtracted
 * @param fixed the best single configuration of those that can run all steps; null where none can
 * @param fixedProfitPerDay the profit of a day with it alone; null where there is none
 * @param gain by how much the day earns more than with the best single configuration; null where
 *     there is none, and where one configuration runs all day
 * @param leftOut the configurations that are not chosen from under some loads of the day, by reason
 *     in the order of the mesh
 */
public record DayPlan(
    List<Step> steps,
    List<Untold> untold,
    double profitPerDay,
    @Nullable Configuration fixed,
    @Nullable Double fixedProfitPerDay,
    @Nullable DayGain gain,
    List<LeftOut> leftOut) {
  private static final int MOST_CANDIDATES = 60;
  private static final double HOUR_MINUTES = 60;

  /** Copies the lists. */
  public DayPlan {
    steps = List.copyOf(steps);
    untold = List.copyOf(untold);
    leftOut = List.copyOf(leftOut);
  }

  /** A reason for which a plan does not choose from a configuration. */
  public enum Reason {
    /** No trial of it under the load, nor under a greater one. */
    NOT_MEASURED,
    /** A load at which most of its trials failed: this one, or one that hides it. */
    FAILED,
    /** A profit below that of as many others as are looked at. */
    LESS_PROFITABLE
  }

  /**
   * A configuration that a plan does not choose from.
   *
   * @param users the loads of the day under which it does not, ascending
   * @param mostUsers the greatest load that it was measured with, 0 if with none
   */
  public record LeftOut(
      Configuration configuration, Reason reason, List<Integer> users, int mostUsers) {
    /** Copies the loads. */
    public LeftOut {
      users = List.copyOf(users);
    }
  }

  /**
   * A stretch of the day of which it cannot be told what to run.
   *
   * @param minute when it begins, in minutes since midnight
   * @param minutes how long it is
   * @param users the load
   */
  public record Untold(int minute, int minutes, int users) {}

  /**
   * A stretch of the day.
   *
   * @param minute when it begins, in minutes since midnight
   * @param minutes how long it is
   * @param users the load
   * @param configuration what runs
   * @param profitPerHour what it earns, per hour
   * @param started the servers that start for it
   * @param interpolated whether the configuration was not measured at this load, so that its profit
   *     lies on the line between the measured loads beside it
   */
  public record Step(
      int minute,
      int minutes,
      int users,
      Configuration configuration,
      double profitPerHour,
      int started,
      boolean interpolated) {}

  /** The plan of a day; null where no load of a day is given. */
  static @Nullable DayPlan of(ProfitSurface surface, List<LostCell> lost, Prices prices) {
    if (prices.day().isEmpty()) {
      return null;
    }
    DayHours hours = DayHours.of(surface, lost, prices.day());
    return hours.told().isEmpty()
        ? new DayPlan(List.of(), hours.untold(), 0, null, null, null, hours.unknown())
        : new Planner(surface, hours, prices).plan();
  }

  /** A configuration, its measured loads, its profit in each step, and the sum of those known. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity alone
  private record Candidate(
      Configuration configuration, Set<Integer> loads, double[] profits, double sum) {
    boolean knows(int step) {
      return profits[step] > Double.NEGATIVE_INFINITY;
    }

    /** The number of these steps that it knows. */
    long of(Set<Integer> steps) {
      return steps.stream().filter(this::knows).count();
    }
  }

  /** Plans one day. */
  private static final class Planner {
    private final ProfitSurface surface;
    private final Prices prices;
    private final DayHours hours;

    /** The stretches of the day that can be planned. */
    private final List<DayHours.Stretch> day;

    /** The number of configurations of which the income is known in some of them. */
    private final int able;

    /** The profit of the day with each configuration of which it is known in all of them. */
    private final Map<Configuration, Double> whole = new LinkedHashMap<>();

    private final List<Configuration> candidates;

    /** The loads that each candidate was measured with. */
    private final List<Set<Integer>> measured;

    private final List<LeftOut> leftOut;

    /** Profit of the step, by candidate and step; minus infinity where it is not known. */
    private final double[][] profit;

    /** Servers started from one candidate to another. */
    private final int[][] started;

    Planner(ProfitSurface surface, DayHours hours, Prices prices) {
      this.surface = surface;
      this.hours = hours;
      this.prices = prices;
      this.day = hours.told();
      List<Candidate> able = new ArrayList<>();
      hours
          .known()
          .forEach((configuration, known) -> {
            if (!known.isEmpty()) {
              able.add(candidate(configuration, surface.of(configuration), known));
            }
          });
      this.able = able.size();
      able.stream()
          .filter(each -> IntStream.range(0, day.size()).allMatch(each::knows))
          .forEach(each -> whole.put(each.configuration(), each.sum()));
      List<Candidate> kept = mostProfitable(able);
      this.candidates = kept.stream().map(Candidate::configuration).toList();
      this.measured = kept.stream().map(Candidate::loads).toList();
      this.leftOut = leftOut(able, kept);
      this.profit = kept.stream().map(Candidate::profits).toArray(double[][]::new);
      this.started = new int[candidates.size()][candidates.size()];
      for (int from = 0; from < started.length; from++) {
        for (int to = 0; to < started.length; to++) {
          started[from][to] = starts(candidates.get(from), candidates.get(to));
        }
      }
    }

    DayPlan plan() {
      int[] best = new int[0];
      double most = Double.NEGATIVE_INFINITY;
      for (int first = 0; first < candidates.size(); first++) {
        int[] way = wayFrom(first);
        double sum = sum(way);
        if (sum > most) {
          most = sum;
          best = way;
        }
      }
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < best.length; i++) {
        int before = best[i == 0 ? best.length - 1 : i - 1];
        steps.add(
            new Step(
                day.get(i).minute(),
                minutes(i),
                day.get(i).users(),
                candidates.get(best[i]),
                profit[best[i]][i] * HOUR_MINUTES / minutes(i),
                started[before][best[i]],
                !measured.get(best[i]).contains(day.get(i).users())));
      }
      if (whole.isEmpty()) {
        return new DayPlan(steps, hours.untold(), most, null, null, null, leftOut);
      }
      Map.Entry<Configuration, Double> fixed =
          Collections.max(whole.entrySet(), Map.Entry.comparingByValue());
      DayGain gain = DayGain.of(surface, steps, most, whole, able);
      return new DayPlan(
          steps, hours.untold(), most, fixed.getKey(), fixed.getValue(), gain, leftOut);
    }

    /** The best way through the day that begins with a candidate, and returns to it at its end. */
    private int[] wayFrom(int first) {
      int count = candidates.size();
      int[][] from = new int[day.size()][count];
      double[] sums = new double[count];
      Arrays.fill(sums, Double.NEGATIVE_INFINITY);
      sums[first] = profit[first][0];
      for (int step = 1; step < day.size(); step++) {
        double[] next = new double[count];
        for (int to = 0; to < count; to++) {
          int best = to;
          for (int each = 0; each < count; each++) {
            best = value(sums, each, to) > value(sums, best, to) ? each : best;
          }
          from[step][to] = best;
          next[to] = value(sums, best, to) + profit[to][step];
        }
        sums = next;
      }
      int last = first;
      for (int each = 0; each < count; each++) {
        last = value(sums, each, first) > value(sums, last, first) ? each : last;
      }
      int[] way = new int[day.size()];
      for (int step = day.size() - 1; step >= 0; step--) {
        way[step] = last;
        last = from[step][last];
      }
      return way;
    }

    private double value(double[] sums, int from, int to) {
      return sums[from] - prices.serverStart() * started[from][to];
    }

    private double sum(int[] way) {
      double sum = 0;
      for (int i = 0; i < way.length; i++) {
        int before = way[i == 0 ? way.length - 1 : i - 1];
        sum += profit[way[i]][i] - prices.serverStart() * started[before][way[i]];
      }
      return sum;
    }

    private int minutes(int step) {
      return day.get(step).minutes();
    }

    private Candidate candidate(
        Configuration configuration,
        NavigableMap<Integer, ProfitCell> row,
        Set<DayHours.Stretch> known) {
      double cost = prices.costPerHour(configuration);
      double[] steps = new double[day.size()];
      Arrays.setAll(
          steps,
          i ->
              known.contains(day.get(i))
                  ? (income(row, day.get(i).users()) - cost) * minutes(i) / HOUR_MINUTES
                  : Double.NEGATIVE_INFINITY);
      double sum = Arrays.stream(steps).filter(Double::isFinite).sum();
      return new Candidate(configuration, row.keySet(), steps, sum);
    }

    /**
     * As many candidates as are looked at: first some that together know the whole day, then the
     * best of each step, then those with most profit.
     */
    private List<Candidate> mostProfitable(List<Candidate> able) {
      List<Candidate> sorted =
          able.stream().sorted(Comparator.comparingDouble(each -> -each.sum())).toList();
      Set<Candidate> kept = new LinkedHashSet<>();
      Set<Integer> open =
          IntStream.range(0, day.size()).boxed().collect(Collectors.toCollection(TreeSet::new));
      while (!open.isEmpty()) {
        Candidate next = Collections.max(sorted, Comparator.comparingLong(each -> each.of(open)));
        kept.add(next);
        open.removeIf(next::knows);
      }
      int least = kept.size();
      for (int step = 0; step < day.size(); step++) {
        int at = step;
        kept.add(
            sorted.stream()
                .max(Comparator.comparingDouble(each -> each.profits()[at]))
                .orElseThrow());
      }
      return Stream.concat(kept.stream(), sorted.stream())
          .distinct()
          .limit(Math.max(least, MOST_CANDIDATES))
          .toList();
    }

    private List<LeftOut> leftOut(List<Candidate> able, List<Candidate> kept) {
      List<LeftOut> all = new ArrayList<>(hours.unknown());
      for (Candidate each : able) {
        if (!kept.contains(each)) {
          Configuration configuration = each.configuration();
          List<Integer> loads =
              DayHours.loads(IntStream.range(0, day.size()).filter(each::knows).mapToObj(day::get));
          int most = surface.of(configuration).lastKey();
          all.add(new LeftOut(configuration, Reason.LESS_PROFITABLE, loads, most));
        }
      }
      return all;
    }

    private static double income(NavigableMap<Integer, ProfitCell> row, int users) {
      double income = 0;
      for (Map.Entry<ProfitCell, Double> part : DayGain.parts(row, users).entrySet()) {
        income += part.getValue() * part.getKey().incomePerHour();
      }
      return income;
    }

    private static int starts(Configuration from, Configuration to) {
      boolean same = from.kind().equals(to.kind());
      int starts = 0;
      for (String tier : Configuration.TIERS) {
        starts += Math.max(0, to.servers(tier) - (same ? from.servers(tier) : 0));
      }
      return starts;
    }
  }
}
