package org.terrace.benchmarks.stitch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;
import org.terrace.testing.tiers.TierCall;
import org.terrace.testing.tiers.TierTraffic;

class StitchScoreTest {
  private static final int REQUESTS = 200;

  private static List<TierCall> traffic() {
    return TierTraffic.of(
        TrafficKind.BIMODAL.of(4, REQUESTS), Seeds.generator(Seeds.next("StitchScoreTest")));
  }

  @Test
  void theTruthScoresFully() {
    List<TierCall> calls = traffic();

    StitchScore score =
        StitchScore.of(calls, answer(calls.stream().mapToInt(TierCall::parent).toArray(), 1));

    assertThat(score.coverage()).isEqualTo(1);
    assertThat(score.precision()).isEqualTo(1);
    assertThat(score.error()).isZero();
  }

  @Test
  void whatIsSureOfWrongParentsIsMiscalibrated() {
    List<TierCall> calls = traffic();
    int[] wrong = new int[calls.size()];
    Arrays.fill(wrong, calls.size());

    StitchScore score = StitchScore.of(calls, answer(wrong, 0.9));

    assertThat(score.precision()).isZero();
    assertThat(score.error()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void noSubjectIsShownMoreThanItsName() {
    List<TierCall> calls = traffic();

    RequestTable alone = Subject.TIMING_ALONE.table(calls);
    RequestTable without = Subject.WITHOUT_IDENTIFIERS.table(calls);
    RequestTable with = Subject.WITH_IDENTIFIERS.table(calls);

    assertThat(alone.requestClasses()).containsExactly("request");
    for (int row = 0; row < calls.size(); row++) {
      assertThat(alone.bytesOut(row) + alone.identifier(row)).isZero();
      assertThat(alone.connection(row)).isEqualTo(row);
      assertThat(without.identifier(row)).isZero();
      assertThat(with.identifier(row)).isEqualTo(calls.get(row).identifier());
      assertThat(with.trace(row)).isNull();
    }
  }

  @Test
  void firstComeFirstServedIsPerfectWhereAllIsDoneInOrder() {
    List<TierCall> calls =
        TierTraffic.of(
            TrafficKind.BIMODAL.of(8, REQUESTS).inOrder(),
            Seeds.generator(Seeds.next("StitchScoreTest")));

    assertThat(StitchScore.of(calls, Subject.FIRST_COME.answer(calls)).found()).isEqualTo(1);
  }

  private static Subject.Answer answer(int[] parents, double confidence) {
    double[] confidences = new double[parents.length];
    Arrays.fill(confidences, confidence);
    return new Subject.Answer(parents, confidences);
  }
}
