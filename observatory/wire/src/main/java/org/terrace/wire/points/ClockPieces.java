package org.terrace.wire.points;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The fewest pieces in each of which a clock kept one rate. Pieces are made as long as the bounds
 * allow, from the start and again from the end: where the one way ends a piece late, the other ends
 * it early, and what changed the clock lies between. Immutable.
 *
 * @param early by piece but the last, the first bound that may be beyond its end
 * @param late by piece but the last, the first bound that must be beyond it
 */
record ClockPieces(List<Integer> early, List<Integer> late) {
  /** The most pieces: a clock that is set more often, or packets that are not the same ones. */
  static final int PIECES_MAX = 256;

  /** Bounds that are tried at once first, before more are. */
  private static final int TRIED_FIRST = 64;

  ClockPieces {
    early = List.copyOf(early);
    late = List.copyOf(late);
  }

  /** The pieces of bounds, which are not empty; null when there would be too many. */
  static @Nullable ClockPieces of(ClockBounds bounds) {
    List<Integer> late = new ArrayList<>();
    for (int start = 0; start < bounds.size(); ) {
      start = end(bounds, start);
      late.add(start);
      if (late.size() > PIECES_MAX) {
        return null;
      }
    }
    List<Integer> early = new ArrayList<>();
    for (int end = bounds.size(); end > 0 && early.size() < late.size(); ) {
      end = start(bounds, end);
      early.add(end);
    }
    late.removeLast();
    early.removeLast();
    Collections.reverse(early);
    return new ClockPieces(early.size() == late.size() ? early : late, late);
  }

  /** The end of the longest piece from a start on: doubling, then halving. */
  private static int end(ClockBounds bounds, int start) {
    int most = bounds.size() - start;
    return start + longest(most, length -> isPiece(bounds, start, start + length));
  }

  private static int start(ClockBounds bounds, int end) {
    return end - longest(end, length -> isPiece(bounds, end - length, end));
  }

  private static boolean isPiece(ClockBounds bounds, int from, int to) {
    return from < to && FeasibleLines.of(bounds, from, to) != null;
  }

  /** The greatest length up to a number that is good, as all shorter ones are; 1 is. */
  private static int longest(int most, IntPredicate isGood) {
    int good = 1;
    int bad = most + 1;
    for (int tried = Math.min(most, TRIED_FIRST); good + 1 < bad; ) {
      if (isGood.test(tried)) {
        good = tried;
      } else {
        bad = tried;
      }
      tried = bad > most ? Math.min(most, good * 2) : good + (bad - good) / 2;
    }
    return good;
  }

  int size() {
    return late.size() + 1;
  }

  /** The first bound that is surely of a piece. */
  int surelyFirst(int piece) {
    return piece == 0 ? 0 : late.get(piece - 1);
  }

  /** The bound after the last one that is surely of a piece. */
  int surelyEnd(int piece, ClockBounds bounds) {
    return piece == late.size() ? bounds.size() : early.get(piece);
  }

  /**
   * The first bound of each piece, and the end of the last. Of the bounds that may be of either of
   * two pieces, so many are the earlier one's that the delays which both imply are shortest; where
   * that leaves a piece without a line, all are the earlier one's.
   */
  int[] starts(ClockBounds bounds) {
    int[] likely = likelyStarts(bounds);
    for (int piece = 0; piece < size(); piece++) {
      if (!isPiece(bounds, likely[piece], likely[piece + 1])) {
        return IntStream.concat(
                IntStream.concat(IntStream.of(0), late.stream().mapToInt(Integer::intValue)),
                IntStream.of(bounds.size()))
            .toArray();
      }
    }
    return likely;
  }

  private int[] likelyStarts(ClockBounds bounds) {
    int[] starts = new int[size() + 1];
    starts[size()] = bounds.size();
    for (int piece = 1; piece < size(); piece++) {
      ClockPiece before = surely(piece - 1, bounds);
      ClockPiece after = surely(piece, bounds);
      int from = early.get(piece - 1);
      int to = late.get(piece - 1);
      starts[piece] =
          before == null || after == null
              ? from + (to - from) / 2
              : shortest(bounds, before, after, from, to);
      starts[piece] = Math.max(starts[piece], starts[piece - 1] + 1);
    }
    return starts;
  }

  private @Nullable ClockPiece surely(int piece, ClockBounds bounds) {
    int from = surelyFirst(piece);
    int to = surelyEnd(piece, bounds);
    FeasibleLines lines = from < to ? FeasibleLines.of(bounds, from, to) : null;
    return lines == null || !lines.isBounded() ? null : lines.middle(0, bounds.timesNanos()[from]);
  }

  private static int shortest(
      ClockBounds bounds, ClockPiece before, ClockPiece after, int from, int to) {
    int shortest = from;
    double gain = 0;
    double least = 0;
    for (int at = from; at < to; at++) {
      gain += (double) bounds.delayNanos(at, before) - bounds.delayNanos(at, after);
      if (gain < least) {
        least = gain;
        shortest = at + 1;
      }
    }
    return shortest;
  }
}
