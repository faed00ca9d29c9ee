package org.terrace.benchmarks.invocation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Goal;

/** What was wanted before anything was measured. Confined to one thread. */
final class Goals {
  private static final String CALL = "call-4b-p50";
  private static final String TERRACE = Subject.TERRACE.toString();

  private final Results results;
  private final List<Goal> goals = new ArrayList<>();

  Goals(Results results) {
    this.results = results;
  }

  List<Goal> judge() {
    ratio("call-p50-to-socket-echo", CALL, Subject.SOCKET_ECHO.toString(), CALL, 1.6);
    ratio("call-p50-to-grpc", CALL, Subject.GRPC.toString(), CALL, 0.6);
    atMost("crash-idle-p50-ms", 1);
    atMost("crash-in-flight-p50-ms", 5);
    atMost("crash-in-flight-max-ms", 60);
    atMost("hang-p50-ms", 20);
    atMost("hang-max-ms", 20);
    ratio("active-kill-to-calm", "active-p50-ms", TERRACE, "active-calm-p50-ms", 2);
    atMost("redundancy-restored-s", 1);
    atMost("duplicate-effects", 0);
    atMost("lost-acknowledged", 0);
    return goals;
  }

  private void ratio(String id, String metric, String beside, String metricBeside, double bound) {
    Double own = results.median(TERRACE, metric);
    Double other = results.median(beside, metricBeside);
    add(id, own == null || other == null ? null : own / other, bound);
  }

  private void atMost(String metric, double bound) {
    add(metric, results.median(TERRACE, metric), bound);
  }

  private void add(String id, @Nullable Double value, double bound) {
    String wanted = "<= " + (bound == Math.rint(bound) ? Long.toString((long) bound) : bound);
    goals.add(
        value == null
            ? Goal.notJudged(id, wanted, "a figure is missing")
            : Goal.atMost(id, value, bound));
  }
}
