package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.Prices.DayLoad;

/**
 * The configurations to run through a day that repeats, chosen so that profit less the starts of
 * servers is highest. Immutable.
 *
 * <p>Income at a load that lies between two measured ones is not measured: it is interpolated, as a
 * straight line from one to the other, and from no users and no income up to the least measured
 * load too. {@link Step#interpolated} marks it. A configuration that was not measured at the day's
 * highest load or a greater one is left out, since nothing is known of it there. Found by dynamic
 * programming over the day from each configuration to itself, exactly so for up to {@value
 * #MOST_CANDIDATES} of them, else among the most profitable. {@link LeftOut} names those that the
 * plan does not choose from.
 *
 * @param steps what runs when, a step for each load of the day
 * @param profitPerDay the profit of the day, starts of servers subtracted
 * @param fixed the best single configuration
 * @param fixedProfitPerDay the profit of a day with it alone
 * @param gain by how much the day earns more than with the best single configuration; null where
 *     one configuration runs all day
 * @param leftOut the configurations that were measured and not chosen from, in the order of the
 *     mesh
 */
public record DayPlan(
    List<Step> steps,
    double profitPerDay,
    Configuration fixed,
    double fixedProfitPerDay,
    @Nullable DayGain gain,
    List<LeftOut> leftOut) {
  private static final int MOST_CANDIDATES = 60;
  private static final double HOUR_MINUTES = 60;

  /** Copies the lists. */
  public DayPlan {
    steps = List.copyOf(steps);
    leftOut = List.copyOf(leftOut);
  }

  /** A reason for which a plan does not choose from a configuration. */
  public enum Reason {
    /** No measurement of it at the day's highest load, nor at a greater one. */
    NOT_MEASURED,
    /** A profit below that of as many others as are looked at. */
    LESS_PROFITABLE
  }

  /**
   * A configuration that a plan does not choose from.
   *
   * @param mostUsers the greatest load that it was measured with
   */
  public record LeftOut(Configuration configuration, Reason reason, int mostUsers) {}

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
  static @Nullable DayPlan of(ProfitSurface surface, Prices prices) {
    return prices.day().isEmpty() ? null : new Planner(surface, prices).plan();
  }

  /** A configuration, its measured loads, its profit in each step, and their sum. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity alone
  private record Candidate(
      Configuration configuration, Set<Integer> loads, double[] profits, double sum) {}

  /** Plans one day. */
  private static final class Planner {
    private final ProfitSurface surface;
    private final Prices prices;
    private final List<DayLoad> day;

    /** The number of configurations measured at the day's highest load, or at a greater one. */
    private final int able;

    private final List<Configuration> candidates;

    /** The loads that each candidate was measured with. */
    private final List<Set<Integer>> measured;

    private final List<LeftOut> leftOut = new ArrayList<>();

    /** Profit of the step, by candidate and step. */
    private final double[][] profit;

    /** Servers started from one candidate to another. */
    private final int[][] started;

    Planner(ProfitSurface surface, Prices prices) {
      this.surface = surface;
      this.prices = prices;
      this.day = prices.day();
      Map<Configuration, NavigableMap<Integer, ProfitCell>> rows = new LinkedHashMap<>();
      for (ProfitCell cell : surface.cells()) {
        rows.computeIfAbsent(cell.configuration(), key -> new TreeMap<>()).put(cell.users(), cell);
      }
      int most = day.stream().mapToInt(DayLoad::users).max().orElse(0);
      List<Candidate> able = new ArrayList<>();
      rows.forEach((configuration, row) -> {
        if (row.lastKey() >= most) {
          able.add(candidate(configuration, row));
        }
      });
      if (able.isEmpty()) {
        throw new IllegalArgumentException(
            "the day has "
                + most
                + " users, more than any configuration was measured with ("
                + surface.byLoad().lastKey()
                + ")");
      }
      this.able = able.size();
      List<Candidate> kept = mostProfitable(able);
      this.candidates = kept.stream().map(Candidate::configuration).toList();
      this.measured = kept.stream().map(Candidate::loads).toList();
      rows.forEach((configuration, row) -> {
        if (!candidates.contains(configuration)) {
          Reason reason = row.lastKey() < most ? Reason.NOT_MEASURED : Reason.LESS_PROFITABLE;
          leftOut.add(new LeftOut(configuration, reason, row.lastKey()));
        }
      });
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
      int fixed = 0;
      for (int first = 0; first < candidates.size(); first++) {
        int[] way = wayFrom(first);
        double sum = sum(way);
        if (sum > most) {
          most = sum;
          best = way;
        }
        fixed = whole(first) > whole(fixed) ? first : fixed;
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
      Configuration alone = candidates.get(fixed);
      DayGain gain = DayGain.of(surface, steps, alone, most - whole(fixed), able);
      return new DayPlan(steps, most, alone, whole(fixed), gain, leftOut);
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

    private double whole(int candidate) {
      return Arrays.stream(profit[candidate]).sum();
    }

    private int minutes(int step) {
      int from = day.get(step).minute();
      return step + 1 < day.size()
          ? day.get(step + 1).minute() - from
          : day.getFirst().minute() + Prices.DAY_MINUTES - from;
    }

    private Candidate candidate(
        Configuration configuration, NavigableMap<Integer, ProfitCell> row) {
      double cost = prices.costPerHour(configuration);
      double[] steps = new double[day.size()];
      Arrays.setAll(
          steps, i -> (income(row, day.get(i).users()) - cost) * minutes(i) / HOUR_MINUTES);
      return new Candidate(configuration, row.keySet(), steps, Arrays.stream(steps).sum());
    }

    private List<Candidate> mostProfitable(List<Candidate> able) {
      List<Candidate> sorted =
          able.stream().sorted(Comparator.comparingDouble(each -> -each.sum())).toList();
      Set<Candidate> kept = new LinkedHashSet<>();
      for (int step = 0; step < day.size(); step++) {
        int at = step;
        kept.add(
            sorted.stream()
                .max(Comparator.comparingDouble(each -> each.profits()[at]))
                .orElseThrow());
      }
      return Stream.concat(kept.stream(), sorted.stream())
          .distinct()
          .limit(MOST_CANDIDATES)
          .toList();
    }

    private static double income(NavigableMap<Integer, ProfitCell> row, int users) {
      double income = 0;
      for (Map.Entry<ProfitCell, Double> part : DayGain.parts(row, users).entrySet()) {
        income += part.getValue() * part.getKey().incomePerHour();
      }
      return income;
    }

    private static int starts(Configuration from, Configuration to) {
      boolean same =
          from.database().equals(to.database())
              && from.nodeTypes().equals(to.nodeTypes())
              && from.variations().equals(to.variations());
      int starts = 0;
      for (String tier : Configuration.TIERS) {
        starts += Math.max(0, to.servers(tier) - (same ? from.servers(tier) : 0));
      }
      return starts;
    }
  }
}
