package org.terrace.benchmarks.causes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;
import org.terrace.testing.CauseScore;
import org.terrace.testing.HeldBy;
import org.terrace.testing.HeldPlan;
import org.terrace.testing.HeldTiers;
import org.terrace.testing.Holdup;
import org.terrace.testing.Seeds;

/** The truth that causes are judged by: each holdup really costs time, and leaves its traces. */
class HeldTiersTest {
  private static final int SECONDS = 30;
  private static final int PER_SECOND = 300;

  private static HeldPlan plan(HeldBy... causes) {
    return HeldPlan.drawn(Seeds.next("HeldTiersTest") >>> 8, SECONDS, PER_SECOND, List.of(causes));
  }

  @ParameterizedTest
  @EnumSource(HeldBy.class)
  void eachCauseHoldsUpItsServerAndIsTold(HeldBy cause) {
    HeldPlan plan = plan(cause);
    HeldTiers.Run held = HeldTiers.run(plan);
    HeldTiers.Run free = HeldTiers.run(plan.without(cause));

    assertThat(held.requestSeconds(cause.server()))
        .isGreaterThan(1.1 * free.requestSeconds(cause.server()));
    if (cause != HeldBy.BURST) {
      assertThat(held.visits()).hasSameSizeAs(free.visits());
    }
    for (String kind : cause.told()) {
      if (kind.equals("tcp-retransmission")) {
        continue;
      }
      assertThat(HeldObservation.of(plan, held).events())
          .as("%s on %s", kind, cause.node())
          .anyMatch(each -> each.kind().equals(kind) && each.node().equals(cause.node()));
    }
  }

  @Test
  void undisturbedServersAreAsFastAsTheirWork() {
    HeldTiers.Run free = HeldTiers.run(plan(HeldBy.STOP).undisturbed());
    long queries = free.visits().stream().filter(visit -> visit.server().equals("db1")).count();

    // 1.8 ms of processor, 35 in 150 with 2 ms of disk, ways, and queues of less than that.
    assertThat(free.requestSeconds("db1") / queries).isCloseTo(0.0026, within(0.0009));
  }

  @Test
  void eventsWithoutHoldupsGetNoCause() {
    HeldPlan plan = plan(HeldBy.COLLECTOR, HeldBy.CHECKPOINT);
    HeldPlan calm = plan.undisturbed();
    Findings findings =
        Analysis.analyze(HeldObservation.of(calm, HeldTiers.run(calm)), AnalysisOptions.defaults())
            .findings();

    for (Holdup each : plan.holdups()) {
      CauseScore.Answer answer = NamedCause.atHeld(findings, each);
      assertThat(answer.right()).as("%s", answer).isFalse();
    }
  }

  @Test
  void eventsOfAnotherServerAreAnotherCause() {
    HeldPlan plan = plan(HeldBy.COLLECTOR);
    Findings findings =
        Analysis.analyze(HeldObservation.of(plan, HeldTiers.run(plan)), AnalysisOptions.defaults())
            .findings();
    Holdup first = plan.holdups().getFirst();
    Holdup moved = new Holdup(HeldBy.RELEASE, first.startNanos(), first.endNanos());

    assertThat(NamedCause.atHeld(findings, first).right()).isTrue();
    assertThat(NamedCause.atHeld(findings, moved).right()).isFalse();
    assertThat(NamedCause.atHeld(findings, moved).named()).isEqualTo("gc-pause app1");
  }
}
