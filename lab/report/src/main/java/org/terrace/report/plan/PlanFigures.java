package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Density;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.bottleneck.ScalabilityLaw;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.Workload;

/** Makes the drawings of a plan. Stateless. */
final class PlanFigures {
  /** Lines that a figure can tell apart. */
  private static final int MOST_LINES = 6;

  private static final int LAW_POINTS = 40;

  /** Every so many points of a density are drawn. */
  private static final int DENSITY_STEP = 3;

  private PlanFigures() {}

  static List<Figure> of(PlannedMesh planned) {
    List<Figure> figures = new ArrayList<>();
    figures.add(envelope(planned.plan()));
    List<Configuration> lines = lines(planned.plan());
    figures.add(profits(planned, lines));
    figures.add(throughput(planned, lines));
    Figure densities = densities(planned);
    if (densities != null) {
      figures.add(densities);
    }
    return figures;
  }

  /** The configurations that are best somewhere, then others until the lines are many enough. */
  private static List<Configuration> lines(Plan plan) {
    Set<Configuration> lines = new LinkedHashSet<>();
    plan.choices().forEach(choice -> lines.add(choice.best().configuration()));
    List<LoadChoice> choices = plan.choices();
    choices.getLast().rivals().forEach(rival -> lines.add(rival.cell().configuration()));
    return lines.stream().limit(MOST_LINES).toList();
  }

  /**
   * Series of profits: a line, but points by themselves where nothing is known of a load between
   * them, over which no line leads.
   *
   * @param lost the users of the loads of which nothing is known
   */
  private static Series joined(String name, List<Point> points, Collection<Integer> lost) {
    DoubleSummaryStatistics loads = points.stream().mapToDouble(Point::x).summaryStatistics();
    boolean over = lost.stream().anyMatch(each -> loads.getMin() < each && each < loads.getMax());
    return new Series(name, over ? Kind.POINTS : Kind.LINE, points);
  }

  private static String note(List<Series> series) {
    return series.stream().anyMatch(each -> each.kind() == Kind.POINTS)
        ? "Points are not joined where most trials failed at a load between them."
        : "";
  }

  private static Figure envelope(Plan plan) {
    List<Series> series = plan.variesLoad() ? profitsOfLoads(plan) : accounts(plan);
    return new Figure(
        "Profit, revenue and cost of the best configuration",
        "At each load, of whichever configuration earns most there.",
        users(),
        Axis.linear("Money", plan.prices().currency() + "/h"),
        series,
        note(series));
  }

  /** The account of the best over the users. */
  private static List<Series> accounts(Plan plan) {
    List<Integer> lost = plan.unmeasured().navigableKeySet().stream().map(Workload::users).toList();
    return List.of(
        joined("profit", profit(plan.choices()), lost),
        joined("revenue", of(plan, ProfitCell::revenuePerHour), lost),
        joined("cost of servers", of(plan, ProfitCell::costPerHour), lost),
        joined("penalty", of(plan, ProfitCell::penaltyPerHour), lost));
  }

  /** The profit over the users, under each way in which the mesh varies the load. */
  private static List<Series> profitsOfLoads(Plan plan) {
    Map<String, List<LoadChoice>> ways = new LinkedHashMap<>();
    plan.choices()
        .forEach(choice ->
            ways.computeIfAbsent(PlanWords.varied(choice.load(), plan), key -> new ArrayList<>())
                .add(choice));
    return ways.entrySet().stream()
        .limit(MOST_LINES)
        .map(each -> {
          Map<String, String> variation = each.getValue().getFirst().load().variation();
          List<Integer> lost =
              plan.unmeasured().navigableKeySet().stream()
                  .filter(load -> load.variation().equals(variation))
                  .map(Workload::users)
                  .toList();
          return joined("profit" + each.getKey(), profit(each.getValue()), lost);
        })
        .toList();
  }

  private static List<Point> profit(List<LoadChoice> choices) {
    return choices.stream().map(choice -> point(choice.best())).toList();
  }

  private static List<Point> of(Plan plan, ToDoubleFunction<ProfitCell> value) {
    return plan.choices().stream()
        .map(choice -> Point.of(choice.users(), value.applyAsDouble(choice.best())))
        .toList();
  }

  private static Point point(ProfitCell cell) {
    Double low = cell.low();
    Double high = cell.high();
    return low == null || high == null
        ? Point.of(cell.users(), cell.profitPerHour())
        : Point.of(cell.users(), cell.profitPerHour(), low, high);
  }

  private static Figure profits(PlannedMesh planned, List<Configuration> lines) {
    Plan plan = planned.plan();
    ConfigurationNames names = planned.names();
    List<Series> series = new ArrayList<>();
    for (Configuration line : lines) {
      series.add(
          joined(
              names.of(line),
              plan.cells().stream()
                  .filter(cell -> cell.configuration().equals(line))
                  .map(PlanFigures::point)
                  .toList(),
              plan.lost().stream()
                  .filter(cell -> cell.configuration().equals(line))
                  .map(LostCell::users)
                  .toList()));
    }
    return new Figure(
        "Profit of configurations",
        "Those that are best at some load, and the next best at the highest."
            + PlanPages.left(lines.size(), planned),
        users(),
        Axis.linear("Profit", plan.prices().currency() + "/h"),
        series,
        note(series));
  }

  private static Figure throughput(PlannedMesh planned, List<Configuration> lines) {
    ConfigurationNames names = planned.names();
    List<Series> series = new ArrayList<>();
    List<Configuration> drawn = lines.stream().limit(MOST_LINES / 2).toList();
    for (Configuration line : drawn) {
      List<MappedCell> row = planned.map().of(line);
      series.add(
          new Series(names.of(line), Kind.POINTS, row.stream().map(PlanFigures::rate).toList()));
      ScalabilityLaw law = planned.map().law(line);
      if (law != null) {
        series.add(new Series("law fitted to it", Kind.LINE, curve(law, row)));
      }
    }
    return new Figure(
        "Throughput",
        "Requests answered without an error. The lines are the universal scalability law."
            + PlanPages.left(drawn.size(), planned),
        users(),
        Axis.linear("Throughput", "/s"),
        series,
        "");
  }

  private static Point rate(MappedCell cell) {
    Double low = cell.low();
    Double high = cell.high();
    return low == null || high == null
        ? Point.of(cell.users(), cell.throughputPerSecond())
        : Point.of(cell.users(), cell.throughputPerSecond(), low, high);
  }

  private static List<Point> curve(ScalabilityLaw law, List<MappedCell> row) {
    double from = row.getFirst().users();
    double to = row.getLast().users();
    List<Point> points = new ArrayList<>();
    for (int i = 0; i <= LAW_POINTS; i++) {
      double users = from + (to - from) * i / LAW_POINTS;
      points.add(Point.of(users, law.throughput(users)));
    }
    return points;
  }

  /**
   * The densities of each tier's fullest hardware, of the best configuration under the most load.
   */
  private static @Nullable Figure densities(PlannedMesh planned) {
    LoadChoice last = planned.plan().choices().getLast();
    Configuration configuration = last.best().configuration();
    MeshCell cell =
        planned.mesh().cells().stream()
            .filter(
                each -> each.users() == last.users() && each.configuration().equals(configuration))
            .findFirst()
            .orElseThrow();
    List<Utilisation> samples = cell.utilisation();
    List<Series> series = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String tier : Configuration.TIERS) {
      for (String resource : List.of("cpu", "disk")) {
        List<Utilisation> mine =
            samples.stream()
                .filter(each -> each.tier().equals(tier) && each.resource().equals(resource))
                .filter(each -> each.size() > 0)
                .toList();
        if (!mine.isEmpty() && series.size() < MOST_LINES) {
          series.add(new Series(tier + " " + resource, Kind.LINE, density(mine, planned)));
        } else if (!mine.isEmpty()) {
          left.add(tier + " " + resource);
        }
      }
    }
    return series.isEmpty()
        ? null
        : new Figure(
            "How full the fullest server of each tier is",
            "Densities of "
                + planned.names().of(configuration)
                + " under the most users, at each sample the fullest server of its tier."
                + (left.isEmpty() ? "" : " Not drawn: " + String.join(", ", left) + "."),
            Axis.linear("In use", "%"),
            Axis.linear("Density", ""),
            series,
            "");
  }

  private static List<Point> density(List<Utilisation> samples, PlannedMesh planned) {
    Density density = Density.of(Density.maximum(samples), planned.map().rules().saturated());
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < Density.POINTS; i += DENSITY_STEP) {
      points.add(Point.of(Density.at(i), density.value(i)));
    }
    return points;
  }

  private static Axis users() {
    return Axis.linear("Users", "");
  }
}
