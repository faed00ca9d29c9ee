package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.OperatingPoint;
import org.terrace.scaling.repeats.OperatingPoint.Demand;
import org.terrace.scaling.repeats.RepeatedMeans;

/**
 * The profit of each configuration under each load. Immutable.
 *
 * <p>The profit of a trial is 3,600 times the revenue of its successful requests less the penalty
 * of all others, both per second, less the price of its servers. O(trials × classes × bins).
 */
public final class ProfitSurface {
  /** The probability that an interval holds the true mean. */
  public static final double CONFIDENCE = 0.95;

  private static final double HOUR = 3_600;
  private static final double LEAST_SCALE = 1e-9;

  private final List<ProfitCell> cells;

  /** The place of each of the cells in the means, of which every cell that is asked for is one. */
  private final IdentityHashMap<ProfitCell, Integer> indices = new IdentityHashMap<>();

  private final RepeatedMeans means;
  private final Supplier<RepeatedMeans> revenues;

  /** The means of the revenues, made for the first who asks: few do. */
  private @Nullable RepeatedMeans askedRevenues;

  private final Map<Integer, Double> mostIncomes;

  private ProfitSurface(
      List<ProfitCell> cells,
      Map<Integer, Double> mostIncomes,
      RepeatedMeans means,
      Supplier<RepeatedMeans> revenues) {
    this.cells = cells;
    this.mostIncomes = mostIncomes;
    this.means = means;
    this.revenues = revenues;
    for (ProfitCell cell : cells) {
      indices.put(cell, indices.size());
    }
  }

  private int index(ProfitCell cell) {
    return Objects.requireNonNull(indices.get(cell), "a cell of another surface");
  }

  private synchronized RepeatedMeans revenues() {
    if (askedRevenues == null) {
      askedRevenues = revenues.get();
    }
    return askedRevenues;
  }

  /** The sums of one trial, money per hour and requests per second. */
  private record Account(
      Map<String, ProfitCell.Income> incomes,
      double turnover,
      double earned,
      double success,
      double all,
      double doubtful) {
    double profit(double cost) {
      return income() - cost;
    }

    double income() {
      return revenue() - penalty();
    }

    static Account of(MeshTrial trial, Prices prices) {
      Map<String, ProfitCell.Income> incomes = new LinkedHashMap<>();
      double turnover = 0;
      double earned = 0;
      double success = 0;
      double all = 0;
      double doubtful = 0;
      for (ClassOutcome outcome : trial.classes()) {
        Terms terms = prices.terms(outcome.name());
        double good = outcome.latency().atMost(terms.thresholdMicros());
        double bad = outcome.count() - good;
        double hours = trial.seconds() / HOUR;
        incomes.merge(
            prices.termsName(outcome.name()),
            new ProfitCell.Income(terms.revenue() * good / hours, terms.penalty() * bad / hours),
            (one, other) -> one.plus(other, 1));
        double worth = HOUR * (terms.revenue() + terms.penalty()) / trial.seconds();
        turnover += worth * outcome.count();
        earned += worth * good;
        success += good / trial.seconds();
        all += outcome.count() / trial.seconds();
        doubtful += outcome.latency().doubtful(terms.thresholdMicros()) / trial.seconds();
      }
      return new Account(incomes, turnover, earned, success, all, doubtful);
    }

    double revenue() {
      return incomes.values().stream().mapToDouble(ProfitCell.Income::revenuePerHour).sum();
    }

    double penalty() {
      return incomes.values().stream().mapToDouble(ProfitCell.Income::penaltyPerHour).sum();
    }

    /** The mean income of repeats, by the terms. */
    static Map<String, ProfitCell.Income> mean(List<Account> repeats) {
      Map<String, ProfitCell.Income> mean = new LinkedHashMap<>();
      for (Account each : repeats) {
        each.incomes.forEach((terms, income) ->
            mean.put(
                terms,
                mean.getOrDefault(terms, ProfitCell.Income.NONE)
                    .plus(income, 1.0 / repeats.size())));
      }
      return mean;
    }
  }

  /**
   * The surface of cells at these prices.
   *
   * @param cells the cells of a mesh, at least one
   * @throws IllegalArgumentException if a type of node or a class of requests has no price
   */
  public static ProfitSurface of(List<MeshCell> cells, Prices prices) {
    if (cells.isEmpty()) {
      throw new IllegalArgumentException("no trial was done, so nothing can be planned");
    }
    List<List<Account>> accounts = new ArrayList<>();
    List<Double> costs = new ArrayList<>();
    List<double[]> profits = new ArrayList<>();
    List<double[]> revenues = new ArrayList<>();
    List<Double> scales = new ArrayList<>();
    List<Demand> demands = new ArrayList<>();
    for (MeshCell cell : cells) {
      double cost = prices.costPerHour(cell.configuration());
      List<Account> repeats =
          cell.trials().stream().map(trial -> Account.of(trial, prices)).toList();
      accounts.add(repeats);
      costs.add(cost);
      profits.add(repeats.stream().mapToDouble(each -> each.profit(cost)).toArray());
      revenues.add(repeats.stream().mapToDouble(Account::revenue).toArray());
      double turnover = repeats.stream().mapToDouble(Account::turnover).average().orElse(0);
      scales.add(Math.max(LEAST_SCALE, turnover));
      demands.add(
          new Demand(
              cell.users(),
              cell.configuration().loadVariations(),
              turnover,
              repeats.stream().mapToDouble(Account::earned).average().orElse(0)));
    }
    List<OperatingPoint> points = OperatingPoint.of(demands);
    RepeatedMeans means = RepeatedMeans.of(profits, scales, points);
    List<ProfitCell> priced = new ArrayList<>();
    Map<Integer, Double> mostIncomes = new HashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      priced.add(cell(cells.get(i), accounts.get(i), costs.get(i), means, i));
      double most = accounts.get(i).stream().mapToDouble(Account::income).max().orElseThrow();
      mostIncomes.merge(cells.get(i).users(), most, Math::max);
    }
    return new ProfitSurface(
        List.copyOf(priced),
        Map.copyOf(mostIncomes),
        means,
        () -> RepeatedMeans.of(revenues, scales, points));
  }

  /**
   * The mean profit of a cell at these prices, as a surface has it beside its interval.
   *
   * @throws IllegalArgumentException if a type of node or a class of requests has no price
   */
  static double profitPerHour(MeshCell cell, Prices prices) {
    double cost = prices.costPerHour(cell.configuration());
    return cell.trials().stream()
        .mapToDouble(trial -> Account.of(trial, prices).profit(cost))
        .average()
        .orElseThrow();
  }

  private static ProfitCell cell(
      MeshCell cell, List<Account> accounts, double cost, RepeatedMeans means, int index) {
    Interval interval = means.interval(index, CONFIDENCE);
    double all = accounts.stream().mapToDouble(Account::all).average().orElse(0);
    double success = accounts.stream().mapToDouble(Account::success).average().orElse(0);
    double doubtful = accounts.stream().mapToDouble(Account::doubtful).average().orElse(0);
    return new ProfitCell(
        cell.configuration(),
        cell.users(),
        accounts.size(),
        cell.failed(),
        accounts.stream().mapToDouble(Account::revenue).average().orElse(0),
        accounts.stream().mapToDouble(Account::penalty).average().orElse(0),
        cost,
        means.mean(index),
        interval == null ? null : interval.low(),
        interval == null ? null : interval.high(),
        success,
        all == 0 ? 1 : success / all,
        all == 0 ? 0 : doubtful / all,
        Account.mean(accounts));
  }

  /** The cells, in the order of the mesh. */
  public List<ProfitCell> cells() {
    return cells;
  }

  /** The cells of a configuration, by load. */
  public NavigableMap<Integer, ProfitCell> of(Configuration configuration) {
    NavigableMap<Integer, ProfitCell> row = new TreeMap<>();
    cells.stream()
        .filter(cell -> cell.configuration().equals(configuration))
        .forEach(cell -> row.put(cell.users(), cell));
    return row;
  }

  /** The cells of each workload, by workload. */
  public NavigableMap<Workload, List<ProfitCell>> byLoad() {
    NavigableMap<Workload, List<ProfitCell>> columns = new TreeMap<>();
    cells.forEach(
        cell -> columns.computeIfAbsent(cell.workload(), key -> new ArrayList<>()).add(cell));
    return columns;
  }

  /** The most that a trial under a load with so many users earned, revenue less penalty. */
  double mostIncomePerHour(int users) {
    return Objects.requireNonNull(mostIncomes.get(users), "a load that was not measured");
  }

  /** The first cell's profit less the second's; null where no trial like it was repeated. */
  @Nullable Interval difference(ProfitCell first, ProfitCell second, double confidence) {
    return means.difference(index(first), index(second), confidence);
  }

  /** A sum of profits, each so many times; null where no trial like it was repeated. */
  @Nullable Interval combination(Map<ProfitCell, Double> weights, double confidence) {
    Map<Integer, Double> byIndex = new LinkedHashMap<>();
    weights.forEach((cell, weight) -> byIndex.put(index(cell), weight));
    return means.combination(byIndex, confidence);
  }

  /** The first cell's revenue less the second's; null where no trial like it was repeated. */
  @Nullable Interval revenueDifference(ProfitCell first, ProfitCell second, double confidence) {
    return revenues().difference(index(first), index(second), confidence);
  }
}
