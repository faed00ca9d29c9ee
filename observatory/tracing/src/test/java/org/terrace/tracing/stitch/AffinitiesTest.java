package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class AffinitiesTest {
  private static final int CLASSES = 4;
  private static final int THERE = 8;
  private static final int CALLS = 4_000;

  @Test
  void kindsAreToldOfClassesFromPresenceAlone() {
    RandomGenerator random = Seeds.generator(Seeds.next("AffinitiesTest"));
    int[] from = new int[CALLS + 1];
    int[] candidates = new int[CALLS * THERE];
    int[] parentClass = new int[CALLS * THERE];
    int[] kind = new int[CALLS];
    for (int call = 0; call < CALLS; call++) {
      from[call + 1] = (call + 1) * THERE;
      for (int i = from[call]; i < from[call + 1]; i++) {
        candidates[i] = i;
        parentClass[i] = random.nextInt(CLASSES);
      }
      // The first one there calls what its class always calls.
      kind[call] = parentClass[from[call]];
    }

    Affinities affinities = new Affinities(from, candidates, parentClass, CLASSES, kind, CLASSES);

    for (int call = 0; call < CALLS; call++) {
      for (int i = from[call]; i < from[call + 1]; i++) {
        if (parentClass[i] != kind[call]) {
          assertThat(affinities.share(i, call)).isLessThan(0.001);
        }
      }
    }
  }

  @Test
  void requestsOfOneClassShareACallEvenly() {
    Affinities affinities =
        new Affinities(new int[] {0, 2}, new int[] {0, 1}, new int[] {0, 0}, 1, new int[1], 1);

    assertThat(affinities.share(0, 0)).isEqualTo(0.5);
  }
}
