package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Goal;

/** The project's goals for replicated collections, judged by the medians of one benchmark. */
final class Goals {
  /** The heap may differ by this factor when nothing grows: the JVM's own share of it varies. */
  private static final double FLAT = 1.05;

  private static final double CHURN_KEYS = 10_000_000;

  private final Results results;
  private final List<Goal> goals = new ArrayList<>();

  Goals(Results results) {
    this.results = results;
  }

  List<Goal> judge() {
    toBestPeer("put-p50-to-best-peer", "put-p50", Math::min, "<=", 0.45);
    toBestPeer("put-p99-to-best-peer", "put-p99", Math::min, "<=", 0.6);
    toBestPeer("mix-throughput-to-best-peer", "mix-throughput", Math::max, ">=", 1.1);
    toBestPeer("mix-p99-to-best-peer", "mix-p99", Math::min, "<=", 0.5);
    atMost("local-get-to-concurrent-hash-map", Subject.TERRACE_ALL, 2);
    atMost("crash-lost", Subject.TERRACE_TWO, 0);
    atMost("crash-lost", Subject.TERRACE_ALL, 0);
    atMost("new-member", Subject.TERRACE_ALL, 1);
    atMost("partition-converged", Subject.TERRACE_ALL, 2);
    atMost("partition-discarded", Subject.TERRACE_ALL, 0);
    metadata();
    return goals;
  }

  private void atMost(String metric, Subject subject, double bound) {
    String id = metric + "-" + subject.level();
    @Nullable Double value = results.median(subject, metric);
    goals.add(
        value == null
            ? Goal.notJudged(id, "<= " + bound, "it was not measured")
            : Goal.atMost(id, value, bound));
  }

  /** The heap after all put-and-removes to that after a fifth of them. */
  private void metadata() {
    String id = "churn-heap-growth";
    String goal = "<= " + FLAT;
    @Nullable Double keys = results.median(Subject.TERRACE_LOCAL, "churn-keys");
    @Nullable Double first = results.median(Subject.TERRACE_LOCAL, "churn-heap-first-mb");
    @Nullable Double last = results.median(Subject.TERRACE_LOCAL, "churn-heap-last-mb");
    if (keys == null || first == null || last == null) {
      goals.add(Goal.notJudged(id, goal, "it was not measured"));
    } else if (keys < CHURN_KEYS) {
      goals.add(Goal.notJudged(id, goal, "it takes 10 million put-and-removes: without --quick"));
    } else {
      goals.add(Goal.atMost(id, last / first, FLAT));
    }
  }

  /** Judges the ratio of Terrace to the best peer of the same level of acknowledgement. */
  private void toBestPeer(
      String id, String metric, DoubleBinaryOperator better, String comparison, double bound) {
    @Nullable Double own = results.median(Subject.TERRACE_ALL, metric);
    List<Double> peers =
        Stream.of(Subject.values())
            .filter(subject -> !subject.isTerrace() && subject.level() == Level.ALL)
            .map(subject -> results.median(subject, metric))
            .filter(Objects::nonNull)
            .toList();
    if (own == null || peers.isEmpty()) {
      goals.add(
          Goal.notJudged(id, comparison + " " + bound, "Terrace or every peer was not measured"));
      return;
    }
    double ratio = own / peers.stream().reduce(better::applyAsDouble).orElseThrow();
    goals.add(
        comparison.equals("<=") ? Goal.atMost(id, ratio, bound) : Goal.atLeast(id, ratio, bound));
  }
}
