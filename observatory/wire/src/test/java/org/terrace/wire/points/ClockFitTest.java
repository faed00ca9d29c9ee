package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.wire.points.TwoPoints.Delays;
import org.terrace.wire.points.TwoPoints.Transmission;
import org.terrace.wire.statistics.ClockStretch;

/** Statements about clocks, against histories of which everything is known. */
class ClockFitTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private static long offset(RandomGenerator random) {
    long size = 1L << random.nextInt(1, 45);
    return random.nextLong(-size, size);
  }

  private static void talk(TwoPoints history, RandomGenerator random, long seconds) {
    int connections = random.nextInt(1, 6);
    for (int i = 0; i < connections; i++) {
      history.exchange(
          40_000 + i,
          TwoPoints.START + random.nextLong(seconds * SECOND),
          random.nextInt(1, 12),
          1L << random.nextInt(10, 28));
    }
  }

  private static PointPair compared(TwoPoints history, long nearStep, long farStep) {
    return PointPair.of(
        history.farScan(farStep), history.nearScan(nearStep), PieceClock.REFERENCE, 0);
  }

  private static long step(RandomGenerator random) {
    return random.nextBoolean() ? 1 : 1_000;
  }

  @Test
  void theTrueOffsetIsInTheStatedIntervalWhateverTheDelaysAndLosses() {
    int usable = 0;
    for (long seed : Seeds.histories("constant offset", 2_000)) {
      RandomGenerator random = Seeds.generator(seed);
      long offset = offset(random);
      TwoPoints history = new TwoPoints(random, at -> offset, Delays.random(random));
      talk(history, random, 3);
      PointPair pair = compared(history, step(random), step(random));
      if (pair.isUsable()) {
        usable++;
        ClockFit fit = Objects.requireNonNull(pair.fit());
        assertThat(fit.stretches()).hasSize(1);
        holds(fit.stretches().getFirst(), offset, 0);
        near(history, fit);
      }
    }
    assertThat(usable).isGreaterThan(1_200);
  }

  @Test
  void theTrueDriftIsInTheStatedIntervalToo() {
    int told = 0;
    for (long seed : Seeds.histories("drift", 1_000)) {
      RandomGenerator random = Seeds.generator(seed);
      long offset = offset(random);
      double drift = random.nextDouble(-9e-4, 9e-4);
      TwoPoints history =
          new TwoPoints(
              random,
              at -> offset + Math.round((at - TwoPoints.START) * drift),
              Delays.random(random));
      talk(history, random, 20);
      PointPair pair = compared(history, 1, step(random));
      if (pair.isUsable()) {
        ClockFit fit = Objects.requireNonNull(pair.fit());
        assertThat(fit.stretches()).hasSize(1);
        ClockStretch stretch = fit.stretches().getFirst();
        long middle = stretch.startNanos() + (stretch.endNanos() - stretch.startNanos()) / 2;
        long then = offset + Math.round((middle - TwoPoints.START) * drift);
        // The middle is that of the stated clock, which is off by as much as is stated.
        long slack = 2 + Math.round(Math.abs(drift) * Math.min(SECOND, fit.errorNanos()));
        holds(widened(stretch, slack), then, drift * 1e6);
        near(history, fit);
        told += stretch.driftPpm() != 0 ? 1 : 0;
      }
    }
    assertThat(told).isGreaterThan(200);
  }

  private static ClockStretch widened(ClockStretch stretch, long nanos) {
    Long low = stretch.lowNanos();
    Long high = stretch.highNanos();
    return new ClockStretch(
        stretch.startNanos(),
        stretch.endNanos(),
        stretch.offsetNanos(),
        low == null ? null : Long.valueOf(low - nanos),
        high == null ? null : Long.valueOf(high + nanos),
        stretch.driftPpm(),
        stretch.driftLowPpm() - 1,
        stretch.driftHighPpm() + 1);
  }

  private static void holds(ClockStretch stretch, long offset, double driftPpm) {
    Long low = Objects.requireNonNull(stretch.lowNanos());
    Long high = Objects.requireNonNull(stretch.highNanos());
    assertThat(offset).isBetween(low, high);
    assertThat(stretch.offsetNanos()).isBetween(low, high);
    assertThat(driftPpm).isBetween(stretch.driftLowPpm(), stretch.driftHighPpm());
    assertThat(stretch.driftPpm()).isBetween(stretch.driftLowPpm(), stretch.driftHighPpm());
  }

  /** Converted times are right but for the stated error, within the stretch that is stated. */
  private static void near(TwoPoints history, ClockFit fit) {
    ClockStretch first = fit.stretches().getFirst();
    ClockStretch last = fit.stretches().getLast();
    long number = 0;
    for (long right : history.farTrueNanos()) {
      long converted = fit.clock().timeNanos(++number, history.farNanos(right));
      if (converted >= first.startNanos() && converted <= last.endNanos()) {
        assertThat((double) Math.abs(converted - right)).isLessThanOrEqualTo(fit.errorNanos() + 1);
      }
    }
  }

  @Test
  void aClockThatIsSetIsToldFromOneThatDrifts() {
    for (long seed : Seeds.histories("step", 200)) {
      RandomGenerator random = Seeds.generator(seed);
      long offset = offset(random);
      long at = TwoPoints.START + 5 * SECOND + random.nextLong(SECOND / 2);
      long size = random.nextLong(60 * MILLI, 5 * SECOND) * (random.nextBoolean() ? 1 : -1);
      TwoPoints history =
          new TwoPoints(
              random,
              time -> offset + (time >= at ? size : 0),
              new Delays(random.nextLong(1, MILLI), random.nextLong(1, MILLI), MILLI, 0.02, 0.05));
      for (int i = 0; i < 10; i++) {
        history.exchange(40_000 + i, TwoPoints.START + i * SECOND, 10, 40 * MILLI);
      }
      PointPair pair = compared(history, 1, 1);

      ClockFit fit = Objects.requireNonNull(pair.fit());
      assertThat(fit.stretches()).as("seed " + seed).hasSize(2);
      assertThat(fit.changes()).singleElement().asString().contains(size > 0 ? "forward" : "back");
      ClockStretch before = fit.stretches().getFirst();
      ClockStretch after = fit.stretches().getLast();
      assertThat(offset).isBetween(low(before), high(before));
      assertThat(offset + size).isBetween(low(after), high(after));
      assertThat(at).isBetween(before.endNanos() - 2 * MILLI, after.startNanos() + 2 * MILLI);
    }
  }

  private static long low(ClockStretch stretch) {
    return Objects.requireNonNull(stretch.lowNanos());
  }

  private static long high(ClockStretch stretch) {
    return Objects.requireNonNull(stretch.highNanos());
  }

  @Test
  void theIntervalIsAsNarrowAsTheDelaysAllow() {
    int compared = 0;
    for (long seed : Seeds.histories("width", 200)) {
      RandomGenerator random = Seeds.generator(seed);
      long offset = random.nextLong(-SECOND, SECOND);
      TwoPoints history = new TwoPoints(random, at -> offset, Delays.random(random));
      history.exchange(40_000, TwoPoints.START, random.nextInt(2, 10), MILLI * 50);
      PointPair pair = compared(history, 1, 1);
      if (pair.isUsable()) {
        compared++;
        ClockStretch stretch = Objects.requireNonNull(pair.fit()).stretches().getFirst();
        long middle =
            history.farNanos(stretch.startNanos() / 2 + stretch.endNanos() / 2)
                + stretch.offsetNanos()
                - offset;
        double[] range = bruteForce(history, middle);
        // Whole nanoseconds, and what rounding of slopes between near packets does far from them.
        double tolerance = 4 + (range[1] - range[0]) / 1_000;
        assertThat((double) low(stretch)).isBetween(range[0] - tolerance, range[0] + tolerance);
        assertThat((double) high(stretch)).isBetween(range[1] - tolerance, range[1] + tolerance);
      }
    }
    assertThat(compared).isGreaterThan(100);
  }

  /** A bound of the offset that a delay sets, by what the history knows of it. */
  private record Limit(double timeNanos, double offsetNanos, boolean upper) {}

  /** The extreme offsets of all lines through two limits, or of the steepest through one. */
  private static double[] bruteForce(TwoPoints history, long farNanos) {
    List<Limit> limits = new ArrayList<>();
    for (Transmission each : history.comparable()) {
      long far = history.farNanos(each.farNanos());
      long difference = far - each.nearNanos();
      limits.add(
          new Limit(
              (double) (far - farNanos), difference + (each.outward() ? 1 : -1), each.outward()));
    }
    double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (Limit one : limits) {
      for (double slope : new double[] {-1e-3, 1e-3}) {
        extend(range, limits, slope, one);
      }
      for (Limit other : limits) {
        if (other.timeNanos != one.timeNanos) {
          double slope = (other.offsetNanos - one.offsetNanos) / (other.timeNanos - one.timeNanos);
          extend(range, limits, slope, one);
        }
      }
    }
    return range;
  }

  private static void extend(double[] range, List<Limit> limits, double slope, Limit through) {
    double now = through.offsetNanos - slope * through.timeNanos;
    boolean kept =
        Math.abs(slope) <= 1e-3 + 1e-12
            && limits.stream()
                .allMatch(each -> {
                  double room = each.offsetNanos - now - slope * each.timeNanos;
                  return (each.upper ? room : -room) >= -0.001;
                });
    if (kept) {
      range[0] = Math.min(range[0], now);
      range[1] = Math.max(range[1], now);
    }
  }

  @Test
  void packetsOfOneDirectionOrOfTranslatedAddressesCompareNothing() {
    assertThat(refusal(sight(1, true), sight(1, true))).contains("share no packet");
    assertThat(refusal(sight(1, false), sight(1, false))).contains("nearer");
  }

  private static @Nullable String refusal(List<SeenPacket> near, List<SeenPacket> far) {
    PointScan one = new PointScan(2);
    PointScan other = new PointScan(2);
    long number = 0;
    for (int i = 0; i < near.size(); i++) {
      near.get(i).seenBy(one, ++number, TwoPoints.START + i * MILLI);
      SeenPacket there = far.get(i);
      there.seenBy(other, number, TwoPoints.START + i * MILLI + 100);
    }
    return PointPair.of(other, one, PieceClock.REFERENCE, 0).refusal();
  }

  private static int translated;

  private static List<SeenPacket> sight(int from, boolean isTranslated) {
    List<SeenPacket> packets = new ArrayList<>();
    int source = TwoPoints.NEAR + (isTranslated ? ++translated * 256 : 0);
    for (int i = from; i < 20; i++) {
      packets.add(
          new SeenPacket(source, TwoPoints.FAR, 40_000 << 16 | 80, i * 100, 7, 0x10, 100, i));
    }
    return packets;
  }
}
