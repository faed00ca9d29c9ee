package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

/** Bounds that no clocks would give, and ones of clocks whose rate changes again and again. */
class ClockPiecesTest {
  private static final long START = 1_790_000_000_000_000_000L;

  @Test
  void anyBoundsGiveACorrectionThatKeepsThemOrNone() {
    for (long seed : Seeds.histories("any bounds", 500)) {
      RandomGenerator random = Seeds.generator(seed);
      ClockBounds bounds = anyBounds(random);
      ClockPieces pieces = ClockPieces.of(bounds);
      ClockFit fit = ClockFit.of(bounds, 0);
      assertThat(fit == null).isEqualTo(pieces == null);
      if (pieces != null) {
        for (int piece = 1; piece < pieces.size(); piece++) {
          assertThat(pieces.early().get(piece - 1))
              .isLessThanOrEqualTo(pieces.late().get(piece - 1));
        }
        assertThat(Objects.requireNonNull(fit).stretches()).hasSize(pieces.size());
      }
    }
  }

  private static ClockBounds anyBounds(RandomGenerator random) {
    int size = random.nextInt(1, 200);
    long timeRange = 1L << random.nextInt(1, 50);
    long boundRange = 1L << random.nextInt(1, 50);
    long[] numbers = new long[size];
    long[] times = new long[size];
    long[] bounds = new long[size];
    boolean[] upper = new boolean[size];
    boolean both = random.nextInt(4) > 0;
    for (int i = 0; i < size; i++) {
      numbers[i] = i + 1L;
      times[i] = START + random.nextLong(timeRange);
      upper[i] = both ? random.nextBoolean() : size % 2 == 0;
      long slack = random.nextInt(3) == 0 ? 0 : random.nextLong(boundRange);
      bounds[i] = random.nextInt(10) == 0 ? slack : upper[i] ? slack : -slack;
    }
    return new ClockBounds(numbers, times, bounds, upper, 0);
  }

  @Test
  void aRateThatChangesOftenGivesPiecesThatKeepAllBounds() {
    RandomGenerator random = Seeds.generator(Seeds.next("rates"));
    int size = 40_000;
    long[] numbers = new long[size];
    long[] times = new long[size];
    long[] bounds = new long[size];
    boolean[] upper = new boolean[size];
    double correction = 0;
    double drift = 0;
    for (int i = 0; i < size; i++) {
      if (i % 1_000 == 0) {
        drift = random.nextDouble(-2e-4, 2e-4);
      }
      numbers[i] = i + 1L;
      times[i] = START + i * 10_000_000L;
      correction += drift * 10_000_000L;
      upper[i] = i % 2 == 0;
      long delay = 20_000 + random.nextLong(100_000);
      bounds[i] = Math.round(correction) + (upper[i] ? delay : -delay);
    }
    ClockBounds all = new ClockBounds(numbers, times, bounds, upper, 0);

    ClockFit fit = Objects.requireNonNull(ClockFit.of(all, 0));

    assertThat(fit.stretches()).hasSizeBetween(10, 40);
    assertThat(fit.changes())
        .singleElement()
        .asString()
        .startsWith("the rate of its clock changed");
    int broken = 0;
    for (int i = 0; i < size; i++) {
      long lead = fit.clock().timeNanos(numbers[i], times[i]) - times[i];
      long delay = upper[i] ? bounds[i] - lead : lead - bounds[i];
      broken += delay < -1 ? 1 : 0;
    }
    assertThat(broken).isZero();
  }
}
