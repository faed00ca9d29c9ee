package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.core.Percentiles;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The usual load beside its plain definition, which looks at all moments for each. */
class LocalUsualTest {
  private static final int CELLS = 10;

  /** The cells of six hours, the longest stretch that is analysed. */
  private static final int SIX_HOURS = 6 * 3_600 * 100;

  private double[] arrivals = new double[0];
  private int[] present = new int[0];
  private boolean[] disturbed = new boolean[0];

  /** Demand that drifts, with disturbances of any length, many of them short and some very long. */
  private void draw(RandomGenerator random) {
    int count = random.nextInt(1, random.nextBoolean() ? 3_000 : 30_000);
    arrivals = new double[count];
    present = new int[count];
    disturbed = new boolean[count];
    double level = random.nextDouble(0.05, 30);
    double disturbedShare = random.nextDouble();
    int longest = random.nextInt(2, count + 3);
    for (int at = 0; at < count; ) {
      int end = Math.min(count, at + random.nextInt(1, longest));
      boolean now = random.nextDouble() < disturbedShare;
      level = Math.clamp(level * random.nextDouble(0.7, 1.5), 0.02, 200);
      for (; at < end; at++) {
        disturbed[at] = now;
        arrivals[at] = Math.floor(level * random.nextDouble(2));
        present[at] = random.nextInt(1 + (int) (4 * level)) + (now ? 30 : 0);
      }
    }
  }

  private LocalUsual usual() {
    return new LocalUsual(arrivals, present, disturbed);
  }

  @Test
  void whatIsUsualIsThatOfThePlainDefinition() {
    for (long seed : Seeds.histories("local usual", Depth.of(150, 30))) {
      RandomGenerator random = Seeds.generator(seed);
      draw(random);
      LocalUsual mean = usual();
      LocalUsual median = usual();
      Plain plain = new Plain();
      // In order, as they are asked for, and then anywhere.
      int[] cells =
          IntStream.concat(
                  IntStream.range(0, disturbed.length), random.ints(100, 0, disturbed.length))
              .filter(cell -> cell % 7 == 0 || cell > disturbed.length - 20)
              .toArray();
      for (int cell : cells) {
        double[] like = plain.like(cell / CELLS);
        assertThat(mean.mean(cell))
            .as("seed %d, mean at %d of %d", seed, cell, disturbed.length)
            .isCloseTo(Arrays.stream(like).average().orElse(0), within(1e-9));
        assertThat(median.median(cell))
            .as("seed %d, median at %d of %d", seed, cell, disturbed.length)
            .isEqualTo(like.length == 0 ? 0 : Percentiles.median(like));
      }
    }
  }

  /** Looking at all of it for each moment takes hours. */
  @Test
  void aDisturbanceOfHoursTakesSeconds() {
    RandomGenerator random = Seeds.generator(Seeds.next("LocalUsualTest.hours"));
    arrivals = random.doubles(SIX_HOURS, 0, 20).map(Math::floor).toArray();
    present = random.ints(SIX_HOURS, 0, 40).toArray();
    disturbed = new boolean[SIX_HOURS];
    Arrays.fill(disturbed, SIX_HOURS / 6, SIX_HOURS / 3, true);
    Arrays.fill(disturbed, SIX_HOURS / 2, 5 * SIX_HOURS / 6, true);
    LocalUsual mean = usual();
    LocalUsual median = usual();

    for (int cell = 0; cell < SIX_HOURS; cell++) {
      assertThat(mean.mean(cell)).isBetween(14.0, 26.0);
      assertThat(median.median(cell)).isBetween(14.0, 26.0);
    }
  }

  /** The definition as the class states it. */
  private final class Plain {
    private final int blocks = (disturbed.length + CELLS - 1) / CELLS;
    private final double[] asked = new double[blocks];
    private final double[] loads = new double[blocks];
    private final double[] known = new double[blocks];

    Plain() {
      Arrays.fill(known, Double.NaN);
      for (int block = 0; block < blocks; block++) {
        int calm = 0;
        for (int i = block * CELLS; i < Math.min(disturbed.length, (block + 1) * CELLS); i++) {
          if (!disturbed[i]) {
            asked[block] += arrivals[i];
            loads[block] += present[i];
            calm++;
          }
        }
        asked[block] = 2 * calm >= CELLS ? asked[block] * CELLS / calm : Double.NaN;
        loads[block] = 2 * calm >= CELLS ? loads[block] / calm : Double.NaN;
      }
    }

    double[] like(int block) {
      double wanted = demand(block);
      for (int near = 50; ; near *= 2) {
        int from = Math.max(0, block - near);
        int to = Math.min(blocks, block + near + 1);
        double[] like =
            IntStream.range(from, to)
                .filter(i -> !Double.isNaN(loads[i]))
                .filter(i -> Math.abs(demand(i) - wanted) <= 0.2 * wanted + 1)
                .mapToDouble(i -> loads[i])
                .toArray();
        if (like.length >= 10 || (from == 0 && to == blocks)) {
          return like;
        }
      }
    }

    private double demand(int block) {
      known[block] = Double.isNaN(known[block]) ? nearDemand(block) : known[block];
      return known[block];
    }

    private double nearDemand(int block) {
      for (int near = 25; ; near *= 2) {
        int from = Math.max(0, block - near);
        int to = Math.min(blocks, block + near + 1);
        double[] kept =
            Arrays.stream(asked, from, to).filter(each -> !Double.isNaN(each)).toArray();
        if (kept.length >= 10 || (from == 0 && to == blocks)) {
          return kept.length == 0 ? 0 : Percentiles.median(kept);
        }
      }
    }
  }
}
