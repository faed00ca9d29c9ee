package org.terrace.studies.scaleout;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Density;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.ProfitCell;

/** Draws the paper's figures from the trials. Stateless. */
final class ScaleOutFigures {
  private static final String DATABASE = "database";
  private static final String MIDDLEWARE = "middleware";

  /** The most configurations whose money is drawn: those that earn most anywhere. */
  private static final int MOST_LINES = 8;

  private final ScaleOutResults results;

  ScaleOutFigures(ScaleOutResults results) {
    this.results = results;
  }

  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    int most = results.parameters().mostDatabases();
    ScaleOutSetting low = ScaleOutSetting.lowCost(2, most);
    peaks("Figure 2(a)", "MariaDB, normal nodes, wait-all", ScaleOutSetting.mariaDb(1, 2), figures);
    peaks(
        "Figure 2(b)",
        "MariaDB, normal nodes, wait-first",
        ScaleOutSetting.mariaDb(1, 2).first(),
        figures);
    peaks(
        "Figure 2(c)",
        "PostgreSQL, normal nodes, wait-all",
        ScaleOutSetting.postgres(1, 2),
        figures);
    peaks(
        "Figure 2(d)",
        "PostgreSQL, normal nodes, wait-first",
        ScaleOutSetting.postgres(1, 2).first(),
        figures);
    peaks(
        "Figure 2(e)", "MariaDB, low-cost nodes, wait-all", ScaleOutSetting.lowCost(1, 2), figures);
    peaks(
        "Figure 2(f)",
        "MariaDB, low-cost nodes, wait-first",
        ScaleOutSetting.lowCost(1, 2).first(),
        figures);
    peaks(
        "Figure 2(g)",
        "SQL nodes before data nodes, normal nodes",
        ScaleOutSetting.ndbLike(1, 2),
        figures);
    densities("Figure 4", ScaleOutSetting.postgres(2, 2), List.of(MIDDLEWARE, DATABASE), figures);
    densities("Figure 5", ScaleOutSetting.lowCost(2, 1), List.of(DATABASE), figures);
    densities("Figure 6(a)", low.first(), List.of(DATABASE), figures);
    densities("Figure 6(b) and (c)", low, List.of(DATABASE), figures);
    results
        .plan()
        .ifPresent(plan -> {
          figures.add(money(plan, names()));
          figures.add(bestMoney(plan, names()));
        });
    return figures;
  }

  /** The highest throughput over the number of databases, a line for each number of app servers. */
  private void peaks(String number, String words, ScaleOutSetting like, List<Figure> figures) {
    TreeMap<Integer, NavigableMap<Integer, MappedCell>> lines = new TreeMap<>();
    for (MappedCell cell : results.map().cells()) {
      Configuration configuration = cell.configuration();
      int databases = configuration.servers(DATABASE);
      ScaleOutSetting same =
          new ScaleOutSetting(
              like.system(),
              like.lowCost(),
              configuration.servers("app"),
              like.middleware(),
              databases,
              databases == 1 ? ScaleOutSetting.WAIT_ALL : like.strategy(),
              like.mix());
      if (same.configuration().equals(configuration)) {
        lines
            .computeIfAbsent(same.apps(), _ -> new TreeMap<>())
            .merge(
                databases,
                cell,
                (one, other) ->
                    one.throughputPerSecond() >= other.throughputPerSecond() ? one : other);
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    List<Series> series = new ArrayList<>();
    lines.forEach((apps, cells) ->
        series.add(
            new Series(
                apps + (apps == 1 ? " application server" : " application servers"),
                Kind.LINE,
                cells.entrySet().stream()
                    .map(each -> point(each.getKey(), each.getValue()))
                    .toList())));
    figures.add(
        new Figure(
            number + ": highest throughput, " + words,
            "The highest throughput of any load, by the number of databases; a band is its 95 %"
                + " interval.",
            Axis.linear("databases", ""),
            Axis.linear("throughput", "/s"),
            series,
            "Mix " + like.mix() + "."));
  }

  private static Point point(int databases, MappedCell cell) {
    return cell.low() == null || cell.high() == null
        ? Point.of(databases, cell.throughputPerSecond())
        : Point.of(databases, cell.throughputPerSecond(), cell.low(), cell.high());
  }

  /** The densities of processors at the highest load, and of the most used one of each tier. */
  private void densities(
      String number, ScaleOutSetting setting, List<String> tiers, List<Figure> figures) {
    Optional<MeshCell> found =
        results.mesh().cells().stream()
            .filter(cell -> cell.configuration().equals(setting.configuration()))
            .reduce((first, second) -> second);
    if (found.isEmpty()) {
      return;
    }
    List<Series> series = new ArrayList<>();
    int samples = 0;
    for (String tier : tiers) {
      List<Utilisation> own =
          found.get().utilisation().stream()
              .filter(each -> each.tier().equals(tier) && each.resource().equals("cpu"))
              .filter(each -> each.size() > 0)
              .toList();
      for (Utilisation each : own) {
        samples = Math.max(samples, each.size());
        series.add(density("processor of " + each.node(), each.values()));
      }
      if (own.size() > 1) {
        series.add(density("the most used of the tier " + tier, Density.maximum(own)));
      }
    }
    if (series.isEmpty()) {
      return;
    }
    figures.add(
        new Figure(
            number + ": densities, " + names().of(setting.configuration()),
            "How often each processor was how much in use. A peak at the right is saturation; the"
                + " most used of a tier may have one that none of its servers has.",
            Axis.linear("in use", "%"),
            Axis.linear("density", "per %"),
            series,
            "%d users, %d samples of each.".formatted(found.get().users(), samples)));
  }

  private Series density(String name, double[] values) {
    Density density = Density.of(values, results.map().rules().saturated());
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < Density.POINTS; i++) {
      points.add(Point.of(Density.at(i), density.value(i)));
    }
    return new Series(name, Kind.LINE, points);
  }

  private ConfigurationNames names() {
    return ConfigurationNames.of(results.mesh());
  }

  /** The profit of the configurations that earn most somewhere, over the load. */
  private static Figure money(Plan plan, ConfigurationNames names) {
    TreeMap<Double, Configuration> ranked = new TreeMap<>();
    for (ProfitCell cell : plan.cells()) {
      ranked.merge(-behind(plan, cell), cell.configuration(), (first, second) -> first);
    }
    List<Configuration> shown =
        ranked.descendingMap().values().stream().distinct().limit(MOST_LINES).toList();
    List<Series> series = new ArrayList<>();
    for (Configuration configuration : shown) {
      List<Point> points =
          plan.cells().stream()
              .filter(cell -> cell.configuration().equals(configuration))
              .map(ScaleOutFigures::profit)
              .toList();
      series.add(
          new Series(
              String.format("%s, %.2f an hour", names.of(configuration), cost(plan, configuration)),
              Kind.LINE,
              points));
    }
    int others =
        (int) plan.cells().stream().map(ProfitCell::configuration).distinct().count()
            - shown.size();
    return new Figure(
        "Figure 7: what configurations earn",
        "Profit over the load, with the cost of each configuration in its name; a band is the 95 %"
            + " interval.",
        Axis.linear("users", ""),
        Axis.linear("profit", "EUR/h"),
        series,
        others > 0
            ? others + " configurations that are behind these everywhere are in the table alone."
            : "");
  }

  private static double behind(Plan plan, ProfitCell cell) {
    return plan.choices().stream()
        .filter(choice -> choice.users() == cell.users())
        .mapToDouble(choice -> choice.best().profitPerHour() - cell.profitPerHour())
        .findFirst()
        .orElse(Double.MAX_VALUE);
  }

  private static double cost(Plan plan, Configuration configuration) {
    return plan.prices().costPerHour(configuration);
  }

  private static Point profit(ProfitCell cell) {
    return cell.low() == null || cell.high() == null
        ? Point.of(cell.users(), cell.profitPerHour())
        : Point.of(cell.users(), cell.profitPerHour(), cell.low(), cell.high());
  }

  /** Revenue, cost and profit of the best configuration of each load. */
  private static Figure bestMoney(Plan plan, ConfigurationNames names) {
    List<Point> revenue = new ArrayList<>();
    List<Point> cost = new ArrayList<>();
    List<Point> profit = new ArrayList<>();
    List<String> bests = new ArrayList<>();
    for (LoadChoice choice : plan.choices()) {
      ProfitCell best = choice.best();
      revenue.add(Point.of(choice.users(), best.incomePerHour()));
      cost.add(Point.of(choice.users(), best.costPerHour()));
      profit.add(profit(best));
      bests.add(choice.users() + " users: " + names.of(best.configuration()));
    }
    return new Figure(
        "Figure 8: revenue, cost and profit of the best configuration",
        "Of the configuration that earns most at each load; revenue is less what failed and late"
            + " answers cost.",
        Axis.linear("users", ""),
        Axis.linear("money", "EUR/h"),
        List.of(
            new Series("revenue", Kind.LINE, revenue),
            new Series("cost", Kind.LINE, cost),
            new Series("profit", Kind.LINE, profit)),
        String.join("; ", bests) + ".");
  }
}
