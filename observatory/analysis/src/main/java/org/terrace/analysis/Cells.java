package org.terrace.analysis;

import java.util.Arrays;
import java.util.List;
import org.terrace.core.Intervals;

/**
 * Load and throughput of one server in consecutive cells of {@value WindowLengths#CELL_MILLIS} ms,
 * from which every window length is summed. Load is kept as an exact integer: the integral of
 * requests in flight over the cell, in request-nanoseconds.
 *
 * <p>One pass over the requests in any order: an arrival adds the rest of its cell and raises the
 * count at the start of every later cell by one; an end takes both away again. So sorting the ends
 * is not needed, and the cost is O(requests + cells).
 */
final class Cells {
  final long startNanos;
  final int count;

  /** The integral of requests in flight over each cell, in request-nanoseconds. */
  final long[] loadNanos;

  /** Requests in flight at the start of each cell; one element more, for the end of the last. */
  final int[] inFlightAtStart;

  /** Requests that arrived in each cell. */
  final int[] arrivals;

  /** Requests answered in each cell. */
  final int[] completions;

  /** The times of which nothing is known, because the capture lost packets. */
  final Intervals lost;

  private Cells(long startNanos, int count, Intervals lost) {
    this.startNanos = startNanos;
    this.count = count;
    this.lost = lost;
    loadNanos = new long[count];
    inFlightAtStart = new int[count + 1];
    arrivals = new int[count];
    completions = new int[count];
  }

  /** The cells of a server's requests that lie wholly in a stretch. */
  static Cells of(ServerRequests requests, Stretch stretch) {
    return of(requests, stretch, Intervals.NONE);
  }

  /** The same where some times are lost. */
  static Cells of(ServerRequests requests, Stretch stretch, Intervals lost) {
    long start = stretch.startNanos();
    int count = (int) ((stretch.endNanos() - start) / WindowLengths.CELL_NANOS);
    Cells cells = new Cells(start, count, lost);
    cells.fill(requests);
    return cells;
  }

  private void fill(ServerRequests requests) {
    long end = startNanos + count * WindowLengths.CELL_NANOS;
    int[] change = new int[count + 1];
    int inFlight = 0;
    int rows = requests.firstArrivalAtOrAfter(end);
    for (int row = 0; row < rows; row++) {
      long departed = requests.departure[row] - startNanos;
      if (departed < 0) {
        continue;
      }
      long arrived = requests.arrival[row] - startNanos;
      if (arrived < 0) {
        inFlight++;
      } else {
        int cell = (int) (arrived / WindowLengths.CELL_NANOS);
        change[cell]++;
        arrivals[cell]++;
        loadNanos[cell] += (cell + 1) * WindowLengths.CELL_NANOS - arrived;
      }
      if (departed < end - startNanos) {
        int cell = (int) (departed / WindowLengths.CELL_NANOS);
        change[cell]--;
        loadNanos[cell] -= (cell + 1) * WindowLengths.CELL_NANOS - departed;
        if (ServerRequests.isCompletion(requests.outcome[row])) {
          completions[cell]++;
        }
      }
    }
    for (int cell = 0; cell < count; cell++) {
      inFlightAtStart[cell] = inFlight;
      loadNanos[cell] += inFlight * WindowLengths.CELL_NANOS;
      inFlight += change[cell];
    }
    inFlightAtStart[count] = inFlight;
  }

  /** Completed work in each cell, each request weighted by its class. O(requests). */
  double[] work(ServerRequests requests, double[] weightOfClass) {
    double[] work = new double[count];
    long span = count * WindowLengths.CELL_NANOS;
    int rows = requests.firstArrivalAtOrAfter(startNanos + span);
    for (int row = 0; row < rows; row++) {
      long departed = requests.departure[row] - startNanos;
      if (departed >= 0 && departed < span && ServerRequests.isCompletion(requests.outcome[row])) {
        work[(int) (departed / WindowLengths.CELL_NANOS)] +=
            weightOfClass[requests.requestClass[row]];
      }
    }
    return work;
  }

  /** The number of whole windows of a length. */
  int windows(int millis) {
    return count / WindowLengths.cells(millis);
  }

  /** The mean load of each window. */
  double[] load(int millis) {
    int perWindow = WindowLengths.cells(millis);
    double[] load = new double[windows(millis)];
    for (int window = 0; window < load.length; window++) {
      long sum = 0;
      for (int cell = window * perWindow; cell < (window + 1) * perWindow; cell++) {
        sum += loadNanos[cell];
      }
      load[window] = sum / (millis * 1e6);
    }
    return load;
  }

  /** Completions a second in each window. */
  double[] throughput(int millis) {
    return perSecond(completions, millis);
  }

  /** Arrivals a second in each window. */
  double[] arriving(int millis) {
    return perSecond(arrivals, millis);
  }

  private double[] perSecond(int[] ofCells, int millis) {
    int perWindow = WindowLengths.cells(millis);
    double[] throughput = new double[windows(millis)];
    for (int window = 0; window < throughput.length; window++) {
      long sum = 0;
      for (int cell = window * perWindow; cell < (window + 1) * perWindow; cell++) {
        sum += ofCells[cell];
      }
      throughput[window] = sum * 1e3 / millis;
    }
    return throughput;
  }

  /** A quantity of the cells, a second, in each window. */
  double[] perSecond(double[] ofCells, int millis) {
    int perWindow = WindowLengths.cells(millis);
    double[] result = new double[windows(millis)];
    for (int window = 0; window < result.length; window++) {
      double sum = 0;
      for (int cell = window * perWindow; cell < (window + 1) * perWindow; cell++) {
        sum += ofCells[cell];
      }
      result[window] = sum * 1e3 / millis;
    }
    return result;
  }

  /** The windows that have any of some cells, marked true. */
  boolean[] anyInWindow(boolean[] ofCells, int millis) {
    int perWindow = WindowLengths.cells(millis);
    boolean[] any = new boolean[windows(millis)];
    for (int cell = 0; cell < any.length * perWindow; cell++) {
      any[cell / perWindow] |= ofCells[cell];
    }
    return any;
  }

  /** The cells that any of the stalls overlaps, or a loss, marked true. */
  boolean[] overlapping(List<DetectedStall> stalls) {
    boolean[] overlapped = lostCells();
    for (DetectedStall stall : stalls) {
      mark(overlapped, stall.startNanos(), stall.endNanos());
    }
    return overlapped;
  }

  /** The cells that a loss overlaps, marked true. */
  boolean[] lostCells() {
    boolean[] marked = new boolean[count];
    for (int i = 0; i < lost.count(); i++) {
      mark(marked, lost.start(i), lost.end(i));
    }
    return marked;
  }

  /** Marks the cells that a stretch of time touches. */
  void mark(boolean[] cells, long fromNanos, long toNanos) {
    long first = (fromNanos - startNanos) / WindowLengths.CELL_NANOS;
    long last = (toNanos - 1 - startNanos) / WindowLengths.CELL_NANOS;
    Arrays.fill(cells, Math.clamp(first, 0, count), Math.clamp(last + 1, 0, count), true);
  }

  /** The start of a cell, in nanoseconds since the Unix epoch. */
  long startOf(int cell) {
    return startNanos + cell * WindowLengths.CELL_NANOS;
  }
}
