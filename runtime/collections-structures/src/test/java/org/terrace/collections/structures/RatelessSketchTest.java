package org.terrace.collections.structures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.testing.Seeds;

class RatelessSketchTest {
  @Test
  void theDifferenceOfRandomSetsIsThatOfBruteForceOrUnknown() {
    RandomGenerator random = Seeds.generator(Seeds.next("sketch"));
    int decoded = 0;
    for (int trial = 0; trial < 300; trial++) {
      Set<Long> here = new HashSet<>();
      Set<Long> there = new HashSet<>();
      for (int i = random.nextInt(2_000); i > 0; i--) {
        long shared = random.nextLong();
        here.add(shared);
        there.add(shared);
      }
      random.longs(random.nextInt(100)).forEach(here::add);
      random.longs(random.nextInt(100)).forEach(there::add);
      int symbols = 1 + random.nextInt(400);
      RatelessSketch.Difference difference =
          RatelessSketch.of(here, symbols).minus(roundTrip(RatelessSketch.of(there, symbols)));

      if (difference != null) {
        decoded++;
        Set<Long> onlyHere = new HashSet<>(here);
        onlyHere.removeAll(there);
        Set<Long> onlyThere = new HashSet<>(there);
        onlyThere.removeAll(here);
        assertThat(difference.onlyHere()).containsExactlyInAnyOrderElementsOf(onlyHere);
        assertThat(difference.onlyThere()).containsExactlyInAnyOrderElementsOf(onlyThere);
      }
    }
    assertThat(decoded).isBetween(100, 299);
  }

  @Test
  void twiceAsManySymbolsAsDifferencesNearlyAlwaysSuffice() {
    RandomGenerator random = Seeds.generator(Seeds.next("sketch size"));
    int failures = 0;
    for (int trial = 0; trial < 200; trial++) {
      Set<Long> here = new HashSet<>();
      random.longs(1_000).forEach(here::add);
      Set<Long> there = new HashSet<>(here);
      random.longs(100).forEach(there::add);
      if (RatelessSketch.of(here, 200).minus(RatelessSketch.of(there, 200)) == null) {
        failures++;
      }
    }
    // 3 of 6,575 trials failed: if three times as many do, more than 6 of 200 have a probability
    // below 1e-6.
    assertThat(failures).isLessThanOrEqualTo(6);
  }

  private static RatelessSketch roundTrip(RatelessSketch sketch) {
    Encoder out = new Encoder();
    sketch.encode(out);
    return RatelessSketch.decode(new Decoder(out.toBytes()));
  }
}
