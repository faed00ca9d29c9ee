package org.terrace.benchmarks.collections;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.BenchReport.Goal;

class GoalsTest {
  private static final String THINKING = "mix-throughput-to-best-peer";
  private static final String SATURATED = "mix-saturated-throughput-to-best-peer";

  private final Results results = new Results();

  private Goal goal(String id) {
    return new Goals(results, true)
        .judge().stream().filter(goal -> goal.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void terraceIsComparedWithTheBestPeerOfItsOwnLevelAlone() {
    results.add(Subject.TERRACE_ALL, "put-p50", 30);
    results.add(Subject.HAZELCAST_IMAP, "put-p50", 200);
    results.add(Subject.JGROUPS_MAP_UDP, "put-p50", 100);
    results.add(Subject.INFINISPAN_ASYNC, "put-p50", 5);
    results.add(Subject.HAZELCAST_REPLICATED_MAP, "put-p50", 50);

    Goal goal = goal("put-p50-to-best-peer");

    assertThat(goal.value()).isEqualTo(0.3);
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

  @Test
  void encryptionIsJudgedBesideTheSamePutInTheClearAndIsNoPeer() {
    results.add(Subject.TERRACE_ALL, "put-p50", 100);
    results.add(Subject.TERRACE_ENCRYPTED, "put-p50", 131);

    assertThat(goal("put-p50-encrypted-to-plain").met()).isFalse();
    assertThat(goal("put-p50-to-best-peer").met()).isNull();
  }

  @Test
  void aListThatGrowsDearerWithItsLengthIsSeenInTimeWireAndHeap() {
    for (String figure : new String[] {"p50", "wire", "heap"}) {
      assertThat(goal("append-" + figure + "-growth").met()).isNull();
      results.add(Subject.TERRACE_ALL, "append-2-" + figure, 100);
      results.add(Subject.TERRACE_ALL, "append-last-" + figure, 125);
      assertThat(goal("append-" + figure + "-growth").met()).isFalse();
    }
  }

  @Test
  void clientsThatThinkJudgeWhereTheirLoadLeavesRoom() {
    throughputs(50_000, 40_000, 90_000, 30_000);

    assertThat(goal(THINKING).met()).isTrue();
    assertThat(goal(THINKING).reason()).contains("51,200/s", "1.280 times");
    results.add(Subject.TERRACE_ALL, "mix-saturated-p99", 60);
    results.add(Subject.REDIS, "mix-saturated-p99", 100);
    assertThat(goal("mix-saturated-p99-to-best-peer").met()).isNull();
  }

  @Test
  void clientsThatDoNotThinkJudgeWhereNoSystemCouldBeSoMuchBetter() {
    throughputs(50_000, 46_745, 120_000, 60_000);
    results.add(Subject.TERRACE_ALL, "mix-saturated-p99", 60);
    results.add(Subject.REDIS, "mix-saturated-p99", 100);

    assertThat(goal(THINKING).value()).isEqualTo(50_000 / 46_745.0);
    assertThat(goal(THINKING).met()).isNull();
    assertThat(goal(THINKING).reason()).contains("1.095 times", SATURATED);
    assertThat(goal(SATURATED).met()).isTrue();
    assertThat(goal("mix-saturated-p99-to-best-peer").met()).isFalse();
  }

  @Test
  void clientsThatDoNotThinkAreToGetTwiceAsMuchInAnyCase() {
    throughputs(50_000, 40_000, 119_000, 60_000);

    assertThat(goal(SATURATED).met()).isFalse();
  }

  @Test
  void theP99OfClientsThatThinkIsJudgedInAnyCase() {
    throughputs(50_000, 46_745, 90_000, 60_000);
    results.add(Subject.TERRACE_ALL, "mix-p99", 60);
    results.add(Subject.REDIS, "mix-p99", 100);

    assertThat(goal("mix-p99-to-best-peer").met()).isFalse();
  }

  @Test
  void anInterruptedBenchmarkDoesNotJudgeBesidePeers() {
    throughputs(50_000, 40_000, 90_000, 30_000);
    results.add(Subject.TERRACE_ALL, "crash-lost", 0);

    for (Goal goal : new Goals(results, false).judge()) {
      assertThat(goal.met()).isEqualTo(goal.id().equals("crash-lost-all") ? true : null);
      if (goal.id().equals(THINKING)) {
        assertThat(goal.reason()).contains("interrupted");
      }
    }
  }

  private void throughputs(double own, double peer, double ownSaturated, double peerSaturated) {
    results.add(Subject.TERRACE_ALL, "mix-throughput", own);
    results.add(Subject.REDIS, "mix-throughput", peer);
    results.add(Subject.TERRACE_ALL, "mix-saturated-throughput", ownSaturated);
    results.add(Subject.REDIS, "mix-saturated-throughput", peerSaturated);
  }
}
