package org.terrace.wire.points;

/**
 * The correction of a clock from one of its capture's packets on. Immutable.
 *
 * @param firstNumber the first packet that it holds for
 * @param timeNanos a time by the clock
 * @param correctionNanos what is added to that time
 * @param slope what is added more for each nanosecond after it
 */
record ClockPiece(long firstNumber, long timeNanos, long correctionNanos, double slope) {
  private static final int ORIGINAL_STEPS = 16;

  /** The time of the other clock. */
  long convert(long rawNanos) {
    return rawNanos + correctionNanos(rawNanos);
  }

  /**
   * The time by the clock that is converted to another; where two are, as a clock that is slowed
   * gives one time to two in some thousands, either.
   */
  long original(long convertedNanos) {
    long raw = convertedNanos;
    // Each step leaves at most the slope's share of the error, that is a thousandth.
    for (int step = 0; step < ORIGINAL_STEPS && convert(raw) != convertedNanos; step++) {
      raw += convertedNanos - convert(raw);
    }
    return raw;
  }

  /** The correction at a time by the clock. */
  long correctionNanos(long rawNanos) {
    return correctionNanos + Math.round((rawNanos - timeNanos) * slope);
  }
}
