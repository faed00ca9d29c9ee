package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.BenchReport.Goal;

class GoalsTest {
  private final Results results = new Results();

  private Goal goal(String id) {
    return new Goals(results)
        .judge().stream().filter(goal -> goal.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void terraceIsComparedWithTheBestPeerOfItsOwnLevelAlone() {
    results.add(Subject.TERRACE_ALL, "put-p50", 40);
    results.add(Subject.HAZELCAST_IMAP, "put-p50", 200);
    results.add(Subject.JGROUPS_MAP_UDP, "put-p50", 100);
    results.add(Subject.INFINISPAN_ASYNC, "put-p50", 5);
    results.add(Subject.HAZELCAST_REPLICATED_MAP, "put-p50", 50);

    Goal goal = goal("put-p50-to-best-peer");

    assertThat(goal.value()).isEqualTo(0.4);
    assertThat(goal.met()).isTrue();
  }

  @Test
  void theMedianOfTheRunsCounts() {
    results.add(Subject.TERRACE_ALL, "mix-throughput", 10);
    results.add(Subject.TERRACE_ALL, "mix-throughput", 100);
    results.add(Subject.TERRACE_ALL, "mix-throughput", 90);
    results.add(Subject.REDIS, "mix-throughput", 90);
    results.add(Subject.PEKKO_ALL, "mix-throughput", 20);

    Goal goal = goal("mix-throughput-to-best-peer");

    assertThat(goal.value()).isEqualTo(1);
    assertThat(goal.met()).isFalse();
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    results.add(Subject.TERRACE_ALL, "put-p50", 40);

    assertThat(goal("put-p50-to-best-peer").met()).isNull();
    assertThat(goal("crash-lost-all").met()).isNull();
    assertThat(goal("churn-heap-growth").met()).isNull();
  }

  @Test
  void fewerKeysThanTheGoalNamesDoNotJudgeTheGrowthOfMetadata() {
    results.add(Subject.TERRACE_LOCAL, "churn-heap-first-mb", 10);
    results.add(Subject.TERRACE_LOCAL, "churn-heap-last-mb", 10);
    results.add(Subject.TERRACE_LOCAL, "churn-keys", 200_000);

    assertThat(goal("churn-heap-growth").met()).isNull();
  }

  @Test
  void oneLostPutIsOneTooMany() {
    results.add(Subject.TERRACE_ALL, "crash-lost", 1);

    assertThat(goal("crash-lost-all").met()).isFalse();
  }
}
