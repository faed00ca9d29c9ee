package org.terrace.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.ServiceRate;

/**
 * Refines the edges of a stall from windows to requests: it starts at the last answer before the
 * silence, or at the arrival that ended an idle time, and ends at the first answer after it, or
 * when nothing is in flight any more because the rest was aborted.
 *
 * <p>The silence is the gap between two answers in which most answers would be usual; it grows over
 * neighbouring gaps as long as each alone holds {@value Gaps#EXPECTED_TO_JOIN} usual answers, so
 * that a stray answer does not split a stall, and ordinary gaps at its edges do not join it.
 */
final class StallEdges {
  /** Requests longer than this are looked through one by one for each candidate. */
  private static final long LONG_NANOS = 1_000_000_000L;

  private static final long ARRIVED = 0;
  private static final long ANSWERED = 1;
  private static final long ENDED = 2;
  private static final int KIND_BITS = 2;

  /** Candidate windows on either side that a gap may reach into. */
  private static final int MARGIN_CELLS =
      2 * WindowLengths.STALL_MILLIS / WindowLengths.CELL_MILLIS;

  private final ServerRequests requests;
  private final Cells cells;
  private final ServiceRate rate;
  private final int[] longRows;

  StallEdges(ServerRequests requests, Cells cells, ServiceRate rate) {
    this.requests = requests;
    this.cells = cells;
    this.rate = rate;
    longRows = longRows(requests);
  }

  /**
   * A stall with the evidence for it.
   *
   * @param stall the stall
   * @param expected the usual answers in it, by the load at each moment
   * @param answers the answers strictly inside it
   * @param rows the requests in flight near it
   */
  record Refined(DetectedStall stall, double expected, int answers, int[] rows) {}

  /** The refined stall of a run of candidate windows; null when nothing was in flight after all. */
  @Nullable Refined refine(int firstWindow, int endWindow) {
    int perWindow = WindowLengths.cells(WindowLengths.STALL_MILLIS);
    int left = quietFrom(firstWindow * perWindow);
    int right = quietUntil(endWindow * perWindow);
    long from = cells.startOf(left);
    long to = cells.startOf(right);
    int[] rows = inFlight(from, to);
    Gaps gaps = gaps(rows, from, to);
    return gaps.refined(
        cells.startOf(firstWindow * perWindow), cells.startOf(endWindow * perWindow), rows);
  }

  /** The cell before which the last answer or idle moment lies, and a margin. */
  private int quietFrom(int cell) {
    int left = cell;
    while (left > 0 && cells.completions[left - 1] == 0 && cells.inFlightAtStart[left] > 0) {
      left--;
    }
    return Math.max(0, left - MARGIN_CELLS);
  }

  private int quietUntil(int cell) {
    int right = cell;
    while (right < cells.count
        && cells.completions[right] == 0
        && cells.inFlightAtStart[right + 1] > 0) {
      right++;
    }
    return Math.min(cells.count, right + MARGIN_CELLS);
  }

  private static int[] longRows(ServerRequests requests) {
    int[] rows = new int[16];
    int size = 0;
    for (int row = 0; row < requests.size; row++) {
      if (requests.departure[row] - requests.arrival[row] > LONG_NANOS) {
        if (size == rows.length) {
          rows = Arrays.copyOf(rows, size * 2);
        }
        rows[size++] = row;
      }
    }
    return Arrays.copyOf(rows, size);
  }

  /** The rows that are in flight at some moment of a stretch of time. */
  private int[] inFlight(long from, long to) {
    int first = requests.firstArrivalAtOrAfter(from - LONG_NANOS);
    int end = requests.firstArrivalAtOrAfter(to);
    int[] rows = new int[end - first + longRows.length];
    int size = 0;
    for (int row : longRows) {
      if (row < first && requests.departure[row] >= from) {
        rows[size++] = row;
      }
    }
    for (int row = first; row < end; row++) {
      if (requests.departure[row] >= from) {
        rows[size++] = row;
      }
    }
    return Arrays.copyOf(rows, size);
  }

  /** The gaps between answers (or idle moments) of a stretch of time, in order. */
  private Gaps gaps(int[] rows, long from, long to) {
    long[] events = new long[2 * rows.length];
    int size = 0;
    int inFlight = 0;
    for (int row : rows) {
      if (requests.arrival[row] < from) {
        inFlight++;
      } else {
        events[size++] = (requests.arrival[row] - from) << KIND_BITS | ARRIVED;
      }
      if (requests.departure[row] < to) {
        boolean answered = ServerRequests.isCompletion(requests.outcome[row]);
        events[size++] =
            (requests.departure[row] - from) << KIND_BITS | (answered ? ANSWERED : ENDED);
      }
    }
    Arrays.sort(events, 0, size);
    Gaps gaps = new Gaps(size + 1, from, inFlight, rate);
    for (int i = 0; i < size; i++) {
      long time = from + (events[i] >> KIND_BITS);
      long kind = events[i] & (1 << KIND_BITS) - 1;
      gaps.advance(time);
      if (kind == ARRIVED) {
        gaps.arrived();
      } else {
        gaps.ended(kind == ANSWERED);
      }
    }
    gaps.advance(to);
    gaps.close();
    return gaps;
  }
}
