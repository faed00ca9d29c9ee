package org.terrace.benchmarks.invocation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Goal;

/**
 * The goals, which were set before anything was measured, and their verdicts. Confined to one
 * thread.
 */
final class Goals {
  private static final String CALL = "call-4b-p50";
  private static final String TERRACE = Subject.TERRACE.toString();

  private final Results results;
  private final List<Goal> goals = new ArrayList<>();

  Goals(Results results) {
    this.results = results;
  }

  List<Goal> judge() {
    wherePlaced("call-p50-to-socket-echo", Subject.SOCKET_ECHO, 1.4);
    wherePlaced("call-p50-to-grpc", Subject.GRPC, 0.5);
    atMost("crash-idle-p50-ms", 1);
    atMost("crash-in-flight-p50-ms", 4);
    atMost("crash-in-flight-max-ms", 30);
    atMost("hang-p50-ms", 20);
    atMost("hang-max-ms", 20);
    for (EffectsDatabase database : EffectsDatabase.values()) {
      atMost("crash-in-flight-" + database + "-p50-ms", 4);
      atMost("crash-in-flight-" + database + "-max-ms", 30);
      atMost("hang-" + database + "-p50-ms", 20);
      atMost("standstill-" + database + "-p50-ms", 250);
      atMost("standstill-" + database + "-wrong-effects", 0);
      atMost("duplicate-effects-" + database, 0);
      atMost("lost-acknowledged-" + database, 0);
    }
    add("active-kill-to-calm", ratio("active-p50-ms", "active-calm-p50-ms"), 2);
    atMost("redundancy-restored-s", 1);
    return goals;
  }

  /** The ratio of the calls' medians where it is worst: every placement must meet the bound. */
  private void wherePlaced(String id, Subject peer, double bound) {
    Double worst = null;
    for (Placement placement : Placement.values()) {
      Double own = results.median(TERRACE, CALL, placement);
      Double other = results.median(peer.toString(), CALL, placement);
      if (own != null && other != null) {
        worst = worst == null ? own / other : Math.max(worst, own / other);
      }
    }
    add(id, worst, bound);
  }

  private @Nullable Double ratio(String metric, String beside) {
    Double own = results.median(TERRACE, metric);
    Double other = results.median(TERRACE, beside);
    return own == null || other == null ? null : own / other;
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
