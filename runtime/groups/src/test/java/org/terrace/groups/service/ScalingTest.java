package org.terrace.groups.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

/** Replicas follow the load without swinging. */
class ScalingTest {
  private static final ScalingOptions OPTIONS = new ScalingOptions(1, 8, 0.75, 0.25, 3, 5);

  private static List<Offer> replicas(int count, double work) {
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      offers.add(
          new Offer(
              "cart",
              "r" + i,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 1 + i),
              work / count));
    }
    return offers;
  }

  /** Lets the work last for so many rounds; says how many replicas there are then. */
  private static int settle(Scaling scaling, int count, double work, int rounds) {
    int replicas = count;
    for (int round = 0; round < rounds; round++) {
      Optional<Scaling.Decision> decision = scaling.round(replicas(replicas, work), 0);
      if (decision.isPresent()) {
        replicas += decision.get() instanceof Scaling.Decision.Start ? 1 : -1;
      }
    }
    return replicas;
  }

  @Test
  void oneThatStartsOrWasLostSightOfCountsAgainstTheMost() {
    Scaling scaling = new Scaling(new ScalingOptions(1, 2, 0.75, 0.25, 3, 0));

    for (int round = 0; round < 20; round++) {
      assertThat(scaling.round(replicas(1, 4), 1)).isEmpty();
    }
    assertThat(scaling.round(replicas(1, 4), 0)).contains(new Scaling.Decision.Start());
  }

  @Test
  void aShortPeakChangesNothing() {
    Scaling scaling = new Scaling(OPTIONS);

    assertThat(settle(scaling, 2, 4, 2)).isEqualTo(2);
    assertThat(settle(scaling, 2, 1, 20)).isEqualTo(2);
  }

  @Test
  void steadyLoadOfAnyHeightComesToASteadyNumberOfReplicas() {
    RandomGenerator random = Seeds.generator(Seeds.next("steadyLoad"));
    for (int i = 0; i < 2_000; i++) {
      Scaling scaling = new Scaling(OPTIONS);
      double work = random.nextDouble(10);
      int settled = settle(scaling, 1 + random.nextInt(8), work, 200);
      assertThat(settle(scaling, settled, work, 200)).as("work %s", work).isEqualTo(settled);
      if (settled < OPTIONS.replicasMax()) {
        assertThat(work / settled).as("work %s", work).isLessThanOrEqualTo(OPTIONS.loadHigh());
      }
    }
  }

  @Test
  void aServiceWithoutReplicasGetsOne() {
    assertThat(new Scaling(OPTIONS).round(List.of(), 0)).contains(new Scaling.Decision.Start());
  }
}
