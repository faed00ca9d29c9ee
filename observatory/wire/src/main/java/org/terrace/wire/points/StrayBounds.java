package org.terrace.wire.points;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bounds that break a clock which keeps one rate before and behind them, as soon as they alone
 * are left out: of packets that were sent twice and of which each point missed another copy, so
 * that the one seems to have come before it was sent. A clock that was set contradicts all that
 * follows. Stateless.
 */
final class StrayBounds {
  /** Bounds that agree on either side of one that is left out, at least. */
  private static final int AROUND_MIN = 4;

  /** Pieces that are joined at once, two of which one stray bound makes, plus the first. */
  private static final int JOINED_MAX = 9;

  /** A clock in more pieces is wild, or the packets are not the same ones. */
  private static final int PIECES_MAX = 64;

  private static final int ROUNDS_MAX = 16;

  private StrayBounds() {}

  /**
   * Bounds without those that stray; the same ones where none do.
   *
   * @param leastNanos the least by which one strays: a packet is sent again after its way there and
   *     back, while a rate that changes breaks bounds by less
   */
  static ClockBounds leftOut(ClockBounds bounds, long leastNanos) {
    ClockBounds kept = bounds;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      ClockPieces pieces = kept.size() == 0 ? null : ClockPieces.of(kept);
      if (pieces == null || pieces.size() == 1 || pieces.size() > PIECES_MAX) {
        return kept;
      }
      BitSet strays = strays(kept, pieces, leastNanos);
      if (strays.isEmpty()) {
        return kept;
      }
      kept = kept.without(strays, 0, kept.size());
    }
    return kept;
  }

  private static BitSet strays(ClockBounds bounds, ClockPieces pieces, long leastNanos) {
    BitSet all = new BitSet();
    for (int piece = 0; piece + 1 < pieces.size(); piece++) {
      for (int more = 1; more < JOINED_MAX && piece + more < pieces.size(); more++) {
        BitSet found = strays(bounds, pieces, piece, piece + more, leastNanos);
        if (found != null) {
          all.or(found);
          piece += more;
          break;
        }
      }
    }
    return all;
  }

  /** The bounds without which pieces are one; null when there are none. */
  private static @Nullable BitSet strays(
      ClockBounds bounds, ClockPieces pieces, int first, int last, long leastNanos) {
    int from = pieces.surelyFirst(first);
    int to = pieces.surelyEnd(last, bounds);
    int[] suspects =
        IntStream.range(first, last)
            .flatMap(at -> IntStream.of(pieces.late().get(at), pieces.early().get(at) - 1))
            .filter(at -> at >= from + AROUND_MIN && at < to - AROUND_MIN)
            .distinct()
            .toArray();
    BitSet together = new BitSet();
    for (int suspect : suspects) {
      BitSet one = new BitSet();
      one.set(suspect);
      together.set(suspect);
      if (one.equals(breaking(bounds, one, from, to, leastNanos))) {
        return one;
      }
    }
    BitSet some = breaking(bounds, together, from, to, leastNanos);
    return !some.isEmpty() && some.equals(breaking(bounds, some, from, to, leastNanos))
        ? some
        : null;
  }

  /**
   * Those of some bounds that break by enough what the others of a range allow; none where those
   * break.
   */
  private static BitSet breaking(
      ClockBounds bounds, BitSet some, int from, int to, long leastNanos) {
    ClockBounds others = bounds.without(some, from, to);
    FeasibleLines lines = FeasibleLines.of(others, 0, others.size());
    BitSet breaking = new BitSet();
    if (lines != null) {
      some.stream()
          .filter(at -> {
            long time = bounds.timesNanos()[at];
            long bound = bounds.boundsNanos()[at];
            double broken =
                bounds.upper()[at] ? lines.lowest(time, bound) : -lines.highest(time, bound);
            return broken >= leastNanos;
          })
          .forEach(breaking::set);
    }
    return breaking;
  }
}
