package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Goal;

/** The project's goals for replicated collections, judged by the medians of one benchmark. */
final class Goals {
  /** The heap may differ by this factor when nothing grows: the JVM's own share of it varies. */
  private static final double FLAT = 1.05;

  /** A hash table that has just doubled is half empty, a quarter of an element's own bytes. */
  private static final double APPEND_HEAP = 1.1;

  /** Two halves of one run on a shared machine differ by this factor when nothing grows. */
  private static final double APPEND_TIME = 1.2;

  private static final double ENCRYPTED = 1.3;
  private static final double CHURN_KEYS = 10_000_000;
  private static final double MIX_THROUGHPUT = 1.1;
  private static final double SATURATED_THROUGHPUT = 2;
  private static final double MIX_P99 = 0.5;

  /** The rate at which the clients would ask if every answer came at once. */
  private static final double OFFERED_PER_SECOND = Workload.CLIENTS * 1e9 / Workload.THINK_NANOS;

  private final Results results;
  private final boolean isWhole;
  private final List<Goal> goals = new ArrayList<>();

  /**
   * Goals for these figures.
   *
   * @param isWhole whether all that was to be measured was
   */
  Goals(Results results, boolean isWhole) {
    this.results = results;
    this.isWhole = isWhole;
  }

  List<Goal> judge() {
    toBestPeer("put-p50", false, 0.35);
    toBestPeer("put-p99", false, 0.5);
    mix();
    atMost("local-get-to-concurrent-hash-map", Subject.TERRACE_ALL, 2);
    atMost("crash-lost", Subject.TERRACE_TWO, 0);
    atMost("crash-lost", Subject.TERRACE_ALL, 0);
    atMost("new-member", Subject.TERRACE_ALL, 1);
    atMost("partition-converged", Subject.TERRACE_ALL, 2);
    atMost("partition-discarded", Subject.TERRACE_ALL, 0);
    metadata();
    encryption();
    appended("p50", APPEND_TIME);
    appended("wire", FLAT);
    appended("heap", APPEND_HEAP);
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

  /**
   * Clients that think offer a bounded load, which a peer may nearly take; then no system can be so
   * much better, and clients that do not think judge instead. Both ratios are there in any case.
   */
  private void mix() {
    @Nullable Double best = best("mix-throughput", true);
    double ceiling = best == null ? Double.POSITIVE_INFINITY : OFFERED_PER_SECOND / best;
    boolean isReachable = ceiling >= MIX_THROUGHPUT;
    String offered =
        String.format(
            Locale.ROOT,
            "%,d clients that think %d ms ask for at most %,.0f/s, %.3f times the best peer's",
            Workload.CLIENTS,
            Workload.THINK_NANOS / 1_000_000,
            OFFERED_PER_SECOND,
            ceiling);
    Goal thinking = toBestPeer("mix-throughput", true, MIX_THROUGHPUT);
    if (thinking.met() != null) {
      goals.set(
          goals.size() - 1,
          isReachable
              ? thinking.because(offered)
              : thinking.unjudged(offered + ": judged by mix-saturated-throughput-to-best-peer"));
    }
    toBestPeer("mix-p99", false, MIX_P99);
    toBestPeer("mix-saturated-throughput", true, SATURATED_THROUGHPUT);
    Goal saturated = toBestPeer("mix-saturated-p99", false, MIX_P99);
    if (isReachable && saturated.met() != null) {
      goals.set(goals.size() - 1, saturated.unjudged("clients that think judge it"));
    }
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

  /** Judges the cost of encryption to one client that waits for every server. */
  private void encryption() {
    ratio(
        "put-p50-encrypted-to-plain",
        results.median(Subject.TERRACE_ENCRYPTED, "put-p50"),
        results.median(Subject.TERRACE_ALL, "put-p50"),
        ENCRYPTED);
  }

  /** The last fifth of the additions to a list, in turn, beside the second. */
  private void appended(String figure, double bound) {
    ratio(
        "append-" + figure + "-growth",
        results.median(Subject.TERRACE_ALL, "append-last-" + figure),
        results.median(Subject.TERRACE_ALL, "append-2-" + figure),
        bound);
  }

  private void ratio(String id, @Nullable Double value, @Nullable Double to, double bound) {
    goals.add(
        value == null || to == null
            ? Goal.notJudged(id, "<= " + bound, "it was not measured")
            : Goal.atMost(id, value / to, bound));
  }

  /** Adds the ratio of Terrace to the best peer of the same level of acknowledgement. */
  private Goal toBestPeer(String metric, boolean moreIsBetter, double bound) {
    String id = metric + "-to-best-peer";
    String wanted = (moreIsBetter ? ">= " : "<= ") + bound;
    @Nullable Double own = results.median(Subject.TERRACE_ALL, metric);
    @Nullable Double best = best(metric, moreIsBetter);
    Goal goal;
    if (own == null || best == null) {
      goal = Goal.notJudged(id, wanted, "Terrace or every peer was not measured");
    } else {
      double ratio = own / best;
      goal = moreIsBetter ? Goal.atLeast(id, ratio, bound) : Goal.atMost(id, ratio, bound);
      goal = isWhole ? goal : goal.unjudged("interrupted before all peers were measured");
    }
    goals.add(goal);
    return goal;
  }

  /** The best median of the peers whose puts have achieved the same. */
  private @Nullable Double best(String metric, boolean moreIsBetter) {
    return Stream.of(Subject.values())
        .filter(subject -> !subject.isTerrace() && subject.level() == Level.ALL)
        .map(subject -> results.median(subject, metric))
        .filter(Objects::nonNull)
        .reduce(moreIsBetter ? Math::max : Math::min)
        .orElse(null);
  }
}
