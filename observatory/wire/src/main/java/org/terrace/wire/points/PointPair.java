package org.terrace.wire.points;

import org.jspecify.annotations.Nullable;

/**
 * Two capture points compared: the packets that both saw, and what they tell of the first one's
 * clock. Immutable.
 *
 * @param shared how many packets both saw once
 * @param sides the sides on which they stand of hosts
 * @param aimless shared packets of hosts of which no side is known
 * @param strays shared packets left out, as they contradict those before and behind them
 * @param fit the correction of the first one's clock to the second's; null when there is none
 * @param refusal why there is none; null when there is one
 */
record PointPair(
    int shared,
    PathSides sides,
    int aimless,
    int strays,
    @Nullable ClockFit fit,
    @Nullable String refusal) {

  /**
   * Compares two points.
   *
   * @param otherClock converts the second one's times
   * @param otherErrorNanos the most by which these are off then
   */
  static PointPair of(
      PointScan point, PointScan other, PieceClock otherClock, double otherErrorNanos) {
    SharedPackets packets = point.sample().sharedWith(other.sample(), otherClock);
    long slack = 2 * (point.stepNanos() + other.stepNanos());
    PathSides sides = new PathSides(packets, slack);
    ClockBounds all = ClockBounds.of(packets, sides, point.stepNanos(), other.stepNanos());
    ClockBounds bounds = StrayBounds.leftOut(all, leastStray(sides));
    ClockFit fit = bounds.size() == 0 ? null : ClockFit.of(bounds, otherErrorNanos);
    return new PointPair(
        packets.size(),
        sides,
        bounds.aimless(),
        all.size() - bounds.size(),
        fit,
        refusal(packets, bounds, fit));
  }

  private static long leastStray(PathSides sides) {
    Long roundTrip = sides.roundTripNanos();
    return roundTrip == null ? 0 : roundTrip / 2;
  }

  private static @Nullable String refusal(
      SharedPackets packets, ClockBounds bounds, @Nullable ClockFit fit) {
    if (packets.size() == 0) {
      return "they share no packet";
    }
    if (bounds.size() == 0) {
      return "the "
          + packets.size()
          + " packets that they share do not tell which point is nearer to which host, as packets of"
          + " both directions do";
    }
    if (fit == null) {
      return "the packets that they share contradict each other as if a clock had been set more than "
          + (ClockPieces.PIECES_MAX - 1)
          + " times";
    }
    if (fit.stretches().stream()
        .allMatch(each -> each.lowNanos() == null || each.highNanos() == null)) {
      return "the packets that they share went one way only";
    }
    return null;
  }

  /** The most by which converted times are off; infinite when there is no correction. */
  double errorNanos() {
    return fit == null || refusal != null ? Double.POSITIVE_INFINITY : fit.errorNanos();
  }

  /** Whether there is a correction to use. */
  boolean isUsable() {
    return refusal == null;
  }
}
