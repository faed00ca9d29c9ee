package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.testing.tiers.GapDistribution;
import org.terrace.testing.tiers.TierCall;
import org.terrace.testing.tiers.TierTraffic;
import org.terrace.testing.tiers.TrafficShape;
import org.terrace.testing.tiers.TrafficShape.Pool;

/**
 * Whether a probability near one is the truth, where only times tell and two requests are often
 * taken for one another.
 */
class ParentSamplerTest {
  private static final int REQUESTS = 4_000;

  /**
   * The greatest share of wrong parents among the sure ones; with sharpened claims it is beyond.
   */
  private static final double WRONG_MOST = 0.02;

  private final RandomGenerator random = Seeds.generator(Seeds.next("ParentSamplerTest"));
  private final List<TierCall> truth =
      TierTraffic.of(
          TrafficShape.of(2, Pool.EACH_REQUEST)
              .withGaps(GapDistribution.LOGNORMAL)
              .withThinking(1_000)
              .withRequests(REQUESTS),
          random);
  private final CallerCalls calls =
      new CallerCalls(TierTables.timesAlone(truth), rows("app", true), rows("app", false));
  private final float[] probabilities = new ParentSampler(calls, random).probabilities();

  @Test
  void whatIsSureIsRight() {
    assertThat(wrongAmongSure(1)).isLessThan(WRONG_MOST);
  }

  @Test
  void probabilitiesThatClaimMoreThanIsKnownWouldNotPass() {
    assertThat(wrongAmongSure(6)).isGreaterThan(WRONG_MOST);
  }

  @Test
  void probabilitiesOfACallAddUpToOneAtMost() {
    for (int call = 0; call < calls.calls(); call++) {
      double sum = 0;
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        assertThat(probabilities[i]).isBetween(0f, 1.0001f);
        sum += probabilities[i];
      }
      assertThat(sum).isLessThan(1.001);
    }
  }

  /**
   * The share of wrong parents among those that are asserted of calls with several candidates.
   *
   * @param sharpness the exponent of probabilities: with more than one, they claim more than is
   *     known
   */
  private double wrongAmongSure(int sharpness) {
    int sure = 0;
    int wrong = 0;
    for (int call = 0; call < calls.calls(); call++) {
      double sum = 0;
      int best = calls.from[call];
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        sum += Math.pow(probabilities[i], sharpness);
        best = probabilities[i] > probabilities[best] ? i : best;
      }
      if (calls.candidateCount(call) > 1
          && Math.pow(probabilities[best], sharpness) / sum >= Stitcher.ASSERTED) {
        sure++;
        int parent = calls.parentRows[calls.candidates[best]];
        wrong += parent == truth.get(calls.callRows[call]).parent() ? 0 : 1;
      }
    }
    System.out.println("sure " + sure + ", of these wrong " + wrong);
    assertThat(sure).isGreaterThan(REQUESTS / 4);
    return wrong / (double) sure;
  }

  /** The rows of the requests at a server, or of the calls that it makes. */
  private int[] rows(String server, boolean requests) {
    return IntStream.range(0, truth.size())
        .filter(row -> server.equals(requests ? truth.get(row).server() : truth.get(row).client()))
        .toArray();
  }
}
