package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.wire.statistics.ClockStretch;

/**
 * Packets that were sent twice, look alike, and of which each point missed another copy, among
 * others; and clocks that were set for a while, which look much the same.
 */
class StrayBoundsTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final int PACKETS = 460;

  /**
   * The packets among which strays are: a copy is seen up to 1.2 s late, and at least four packets
   * must follow it for it to be told from a clock that was set.
   */
  private static final int STRAYS_FROM = 40;

  private static final int STRAYS_TO = PACKETS - 120;

  private record Sight(SeenPacket packet, long timeNanos) {}

  private final List<Sight> near = new ArrayList<>();
  private final List<Sight> far = new ArrayList<>();

  private static SeenPacket packet(int number, boolean outward) {
    return new SeenPacket(
        outward ? TwoPoints.NEAR : TwoPoints.FAR,
        outward ? TwoPoints.FAR : TwoPoints.NEAR,
        outward ? 40_000 << 16 | 80 : 80 << 16 | 40_000,
        number * 10,
        number,
        0x10,
        10,
        0);
  }

  /** The far point's clock is ahead, and by more between two packets. */
  private void talk(
      RandomGenerator random, long ahead, long set, int setFrom, int setTo, List<Integer> strays) {
    near.clear();
    far.clear();
    long at = TwoPoints.START;
    for (int i = 0; i < PACKETS; i++) {
      boolean outward = i % 2 == 0;
      SeenPacket packet = packet(i, outward);
      long arrives = at + random.nextLong(50_000, 300_000);
      // The sender's point saw the second copy alone, the receiver's the first.
      long seenSent = strays.contains(i) ? at + 200 * MILLI + random.nextLong(SECOND) : at;
      long offset = ahead + (i >= setFrom && i < setTo ? set : 0);
      near.add(new Sight(packet, outward ? seenSent : arrives));
      far.add(new Sight(packet, (outward ? arrives : seenSent) + offset));
      at = arrives + random.nextLong(5 * MILLI, 40 * MILLI);
    }
  }

  private static PointScan scan(List<Sight> sights, boolean byTime) {
    PointScan scan = new PointScan(2);
    List<Sight> order = new ArrayList<>(sights);
    if (byTime) {
      order.sort(Comparator.comparingLong(Sight::timeNanos));
    }
    long number = 0;
    for (Sight sight : order) {
      sight.packet().seenBy(scan, ++number, sight.timeNanos());
    }
    return scan;
  }

  private PointPair compared(boolean byTime) {
    return PointPair.of(scan(far, byTime), scan(near, true), PieceClock.REFERENCE, 0);
  }

  @Test
  void whatWasSentTwiceIsNoClockThatWasSet() {
    for (long seed : Seeds.histories("strays", 300)) {
      RandomGenerator random = Seeds.generator(seed);
      List<Integer> strays = new ArrayList<>();
      for (int left = random.nextInt(1, 6); left > 0; left--) {
        strays.add(random.nextInt(STRAYS_FROM, STRAYS_TO));
      }
      long ahead = random.nextLong(-5 * SECOND, 5 * SECOND);
      talk(random, ahead, 0, 0, 0, strays);

      PointPair pair = compared(true);

      ClockFit fit = Objects.requireNonNull(pair.fit());
      assertThat(fit.changes()).as("seed " + seed).isEmpty();
      assertThat(fit.stretches()).as("seed " + seed).hasSize(1);
      ClockStretch stretch = fit.stretches().getFirst();
      assertThat(ahead)
          .isBetween(
              Objects.requireNonNull(stretch.lowNanos()),
              Objects.requireNonNull(stretch.highNanos()));
      assertThat(fit.errorNanos()).isLessThan(MILLI);
      assertThat(pair.strays()).isBetween(1, strays.size());
    }
  }

  @Test
  void aClockThatWasSetForAWhileIsToldStill() {
    for (long seed : Seeds.histories("set for a while", 200)) {
      RandomGenerator random = Seeds.generator(seed);
      int from = random.nextInt(40, 200);
      int to = from + random.nextInt(12, 100);
      long set = random.nextLong(5 * MILLI, 2 * SECOND) * (random.nextBoolean() ? 1 : -1);
      talk(random, SECOND, set, from, to, List.of());

      PointPair pair = compared(false);

      assertThat(pair.strays()).as("seed " + seed).isZero();
      assertThat(Objects.requireNonNull(pair.fit()).changes()).as("seed " + seed).hasSize(2);
    }
  }
}
