package org.terrace.wire.points;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.statistics.ClockStretch;

/**
 * The correction of one clock to another's that keeps every bound, with what it leaves open.
 * Immutable.
 *
 * @param clock the correction
 * @param stretches its pieces, as offsets of the corrected clock
 * @param errorNanos the most by which a corrected time may be off between the first bound and the
 *     last; infinite when nothing bounds it
 * @param changes what happened to the clock between two pieces, a sentence each
 */
record ClockFit(
    PieceClock clock, List<ClockStretch> stretches, double errorNanos, List<String> changes) {
  private static final double PER_MILLION = 1e6;

  /** Times at which a clock was set that are told one by one. */
  private static final int STEPS_LISTED = 10;

  ClockFit {
    stretches = List.copyOf(stretches);
    changes = List.copyOf(changes);
  }

  /**
   * The correction that keeps bounds.
   *
   * @param bounds at least one
   * @param otherErrorNanos the most by which the other clock's own times are off, added to all that
   *     is said
   * @return null when the clock would have been set too often
   */
  static @Nullable ClockFit of(ClockBounds bounds, double otherErrorNanos) {
    ClockPieces pieces = ClockPieces.of(bounds);
    if (pieces == null) {
      return null;
    }
    int[] starts = pieces.starts(bounds);
    List<ClockPiece> corrections = new ArrayList<>();
    List<ClockStretch> stretches = new ArrayList<>();
    double error = 0;
    for (int piece = 0; piece < pieces.size(); piece++) {
      FeasibleLines likely =
          Objects.requireNonNull(FeasibleLines.of(bounds, starts[piece], starts[piece + 1]));
      FeasibleLines lines = lines(bounds, pieces, likely, piece);
      long first = bounds.timesNanos()[starts[piece]];
      long last = bounds.timesNanos()[starts[piece + 1] - 1];
      long firstNumber = piece == 0 ? 0 : bounds.numbers()[starts[piece]];
      ClockPiece correction =
          (likely.isBounded() ? likely : lines).middle(firstNumber, first + (last - first) / 2);
      corrections.add(correction);
      stretches.add(stretch(lines, correction, first, last, otherErrorNanos));
      error =
          Math.max(error, Math.max(off(lines, correction, first), off(lines, correction, last)));
    }
    return new ClockFit(
        new PieceClock(corrections),
        stretches,
        error + otherErrorNanos,
        changes(bounds, pieces, corrections, error));
  }

  /** The lines of what is surely in a piece if it has bounds from both sides, else of all of it. */
  private static FeasibleLines lines(
      ClockBounds bounds, ClockPieces pieces, FeasibleLines likely, int piece) {
    int from = pieces.surelyFirst(piece);
    int to = pieces.surelyEnd(piece, bounds);
    FeasibleLines sure = from < to ? FeasibleLines.of(bounds, from, to) : null;
    if (sure != null && sure.isBounded()) {
      return sure;
    }
    return likely;
  }

  private static double off(FeasibleLines lines, ClockPiece correction, long timeNanos) {
    long corrected = correction.correctionNanos(timeNanos);
    return Math.max(lines.highest(timeNanos, corrected), -lines.lowest(timeNanos, corrected));
  }

  /** A piece as offsets, which are corrections with their sign turned. */
  private static ClockStretch stretch(
      FeasibleLines lines, ClockPiece correction, long first, long last, double otherErrorNanos) {
    long middle = correction.timeNanos();
    long offset = -correction.correctionNanos();
    double high = -lines.lowest(middle, correction.correctionNanos()) + otherErrorNanos;
    double low = -lines.highest(middle, correction.correctionNanos()) - otherErrorNanos;
    return new ClockStretch(
        correction.convert(first),
        correction.convert(last),
        offset,
        Double.isInfinite(low) ? null : offset + (long) Math.floor(low),
        Double.isInfinite(high) ? null : offset + (long) Math.ceil(high),
        0 - correction.slope() * PER_MILLION,
        0 - lines.slopeMax() * PER_MILLION,
        0 - lines.slopeMin() * PER_MILLION);
  }

  private static List<String> changes(
      ClockBounds bounds, ClockPieces pieces, List<ClockPiece> corrections, double errorNanos) {
    List<String> changes = new ArrayList<>();
    int rates = 0;
    int unlisted = 0;
    for (int piece = 1; piece < pieces.size(); piece++) {
      long before = bounds.timesNanos()[Math.max(0, pieces.surelyEnd(piece - 1, bounds) - 1)];
      long after = bounds.timesNanos()[Math.min(bounds.size() - 1, pieces.surelyFirst(piece))];
      ClockPiece old = corrections.get(piece - 1);
      ClockPiece fresh = corrections.get(piece);
      long step = step(old, fresh, before, after);
      if (Math.abs(step) <= 2 * errorNanos) {
        rates++;
      } else if (changes.size() == STEPS_LISTED) {
        unlisted++;
      } else {
        changes.add(
            String.format(
                Locale.ROOT,
                "its clock was set %s by %,.3f ms between %s and %s by the reference's clock",
                step > 0 ? "forward" : "back",
                Math.abs(step) / 1e6,
                instant(old.convert(before)),
                instant(fresh.convert(after))));
      }
    }
    if (unlisted > 0) {
      changes.add("its clock was set " + unlisted + " times more");
    }
    if (rates > 0) {
      changes.add("the rate of its clock changed " + rates + (rates == 1 ? " time" : " times"));
    }
    return changes;
  }

  /** The least step between two times; none if the pieces meet between them. */
  private static long step(ClockPiece old, ClockPiece fresh, long before, long after) {
    long first = old.correctionNanos(before) - fresh.correctionNanos(before);
    long last = old.correctionNanos(after) - fresh.correctionNanos(after);
    if (Long.signum(first) != Long.signum(last)) {
      return 0;
    }
    return Math.abs(first) < Math.abs(last) ? first : last;
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }
}
