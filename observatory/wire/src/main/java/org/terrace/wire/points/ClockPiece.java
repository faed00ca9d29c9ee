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
  /** The time of the other clock. */
  long convert(long rawNanos) {
    return rawNanos + correctionNanos(rawNanos);
  }

  /** The correction at a time by the clock. */
  long correctionNanos(long rawNanos) {
    return correctionNanos + Math.round((rawNanos - timeNanos) * slope);
  }
}
