package org.terrace.benchmarks.stitch;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.terrace.benchmarks.BenchReport;
import org.terrace.testing.Seeds;
import org.terrace.testing.tiers.Candidates;
import org.terrace.testing.tiers.TierCall;
import org.terrace.testing.tiers.TierTraffic;

/**
 * Measures stitching where the truth is known: traffic of four tiers is drawn, stitched by several
 * subjects that see more or less of it, and compared with who called whom in truth. For each number
 * of clients: how many calls get a parent, how many of these are right, how far confidence and
 * truth differ, and CPU time of the process a span (compilation and garbage collection included).
 *
 * <p>{@code terrace bench stitch [--quick] [--json]}.
 */
public final class StitchBench {
  private static final int[] CLIENTS = {2, 8, 16, 32};
  private static final int REQUESTS = 20_000;
  private static final int QUICK_REQUESTS = 3_000;
  private static final int FIRST_COME_REQUESTS = 1_000;
  private static final long SEED = 1;

  private static final double PRECISION_GOAL = 0.99;
  private static final double ERROR_GOAL = 0.03;
  private static final double CPU_GOAL_MICROS = 15;

  /** The coverage wanted at each number of clients. */
  private static final Map<Subject, double[]> COVERAGE_GOALS =
      new EnumMap<>(
          Map.of(
              Subject.TIMING_ALONE, new double[] {0.9, 0.75, 0.45, 0.3},
              Subject.WITHOUT_IDENTIFIERS, new double[] {0.95, 0.9, 0.8, 0.7}));

  private final int requests;
  private final List<BenchReport.Row> rows = new ArrayList<>();
  private final List<BenchReport.Goal> goals = new ArrayList<>();

  private StitchBench(int requests) {
    this.requests = requests;
  }

  /** Runs the benchmark; {@code --quick} and {@code --json} are its flags. */
  public static void main(String[] arguments) {
    List<String> flags = List.of(arguments);
    boolean quick = flags.contains("--quick");
    BenchReport report = new StitchBench(quick ? QUICK_REQUESTS : REQUESTS).report(quick);
    report.print(System.out, flags.contains("--json"));
    System.exit(report.conclude(System.err, quick));
  }

  private BenchReport report(boolean quick) {
    List<List<List<TierCall>>> drawn = new ArrayList<>();
    for (int clients : CLIENTS) {
      System.err.println("Drawing traffic of " + clients + " clients");
      List<List<TierCall>> each = new ArrayList<>();
      for (TrafficKind traffic : TrafficKind.values()) {
        each.add(TierTraffic.of(traffic.of(clients, requests), Seeds.generator(SEED + clients)));
      }
      drawn.add(each);
      rows.add(
          row("traffic", "candidates", "", each.stream().mapToDouble(Candidates::mean).toArray())
              .atLevel(level(clients)));
    }
    double micros = 0;
    for (Subject subject : Subject.values()) {
      micros = Math.max(micros, measure(subject, drawn));
    }
    inOrder();
    BenchReport.Goal cost = BenchReport.Goal.atMost("cpu-micros-a-span", micros, CPU_GOAL_MICROS);
    goals.add(quick ? cost.unjudged("--quick measures the compiler as well") : cost);
    return BenchReport.of("stitch", rows, goals);
  }

  /** All levels of one subject; the greatest cost of a level, in CPU microseconds a span. */
  private double measure(Subject subject, List<List<List<TierCall>>> drawn) {
    double greatest = 0;
    for (int i = 0; i < CLIENTS.length; i++) {
      System.err.println(subject + ", " + CLIENTS[i] + " clients");
      List<StitchScore> scores = new ArrayList<>();
      List<Double> costs = new ArrayList<>();
      long nanos = 0;
      long spans = 0;
      for (List<TierCall> calls : drawn.get(i)) {
        long from = cpuNanos();
        Subject.Answer answer = subject.answer(calls);
        long took = cpuNanos() - from;
        scores.add(StitchScore.of(calls, answer));
        costs.add(took / 1e3 / calls.size());
        nanos += took;
        spans += calls.size();
      }
      add(
          subject,
          CLIENTS[i],
          "precision",
          "",
          scores.stream().map(StitchScore::precision).toList());
      add(subject, CLIENTS[i], "coverage", "", scores.stream().map(StitchScore::coverage).toList());
      add(
          subject,
          CLIENTS[i],
          "calibration-error",
          "",
          scores.stream().map(StitchScore::error).toList());
      add(subject, CLIENTS[i], "cpu-micros-a-span", "us", costs);
      judge(subject, i, StitchScore.sum(scores));
      greatest = Math.max(greatest, nanos / 1e3 / spans);
    }
    return greatest;
  }

  private void judge(Subject subject, int at, StitchScore score) {
    if (subject == Subject.FIRST_COME) {
      return;
    }
    String where = subject + "-" + CLIENTS[at];
    goals.add(BenchReport.Goal.atLeast("precision-" + where, score.precision(), PRECISION_GOAL));
    goals.add(BenchReport.Goal.atMost("calibration-error-" + where, score.error(), ERROR_GOAL));
    double[] coverage = COVERAGE_GOALS.get(subject);
    if (coverage != null) {
      goals.add(BenchReport.Goal.atLeast("coverage-" + where, score.coverage(), coverage[at]));
    }
  }

  /** Traffic of which first come, first served is always right. */
  private void inOrder() {
    for (int clients : CLIENTS) {
      List<TierCall> calls =
          TierTraffic.of(
              TrafficKind.BIMODAL.of(clients, FIRST_COME_REQUESTS).inOrder(),
              Seeds.generator(SEED + clients));
      StitchScore peer = StitchScore.of(calls, Subject.FIRST_COME.answer(calls));
      StitchScore own = StitchScore.of(calls, Subject.TIMING_ALONE.answer(calls));
      add(Subject.FIRST_COME, clients, "found-in-order", "", List.of(peer.found()));
      add(Subject.TIMING_ALONE, clients, "found-in-order", "", List.of(own.found()));
      goals.add(BenchReport.Goal.atLeast("found-in-order-" + clients, own.found(), peer.found()));
    }
  }

  private void add(Subject subject, int clients, String metric, String unit, List<Double> values) {
    double[] each = values.stream().mapToDouble(Double::doubleValue).toArray();
    rows.add(row(subject.toString(), metric, unit, each).atLevel(level(clients)));
  }

  private static BenchReport.Row row(String subject, String metric, String unit, double... values) {
    return BenchReport.Row.measured(subject, "", metric, unit, values);
  }

  private static String level(int clients) {
    return clients + " clients";
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
