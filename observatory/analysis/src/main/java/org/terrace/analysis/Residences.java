package org.terrace.analysis;

import java.util.function.IntPredicate;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.RadixSort;
import org.terrace.observation.Outcome;

/**
 * The residence times of a server's completed requests, grouped by class and sorted within each, so
 * that exact percentiles of a class and of all classes, and the survival of a class, are found by
 * bisection.
 */
final class Residences {
  private static final int OUTCOMES = Outcome.values().length;

  /** The times in nanoseconds: class {@code c} in {@code [offset[c], offset[c + 1])}, ascending. */
  final long[] nanos;

  final int[] offset;
  private final long[] totals;
  private final int[] outcomes;

  private Residences(long[] nanos, int[] offset, long[] totals, int[] outcomes) {
    this.outcomes = outcomes;
    this.nanos = nanos;
    this.offset = offset;
    this.totals = totals;
  }

  /** The residences of the requests completed in a stretch. O(requests). */
  static Residences of(ServerRequests requests, Stretch stretch, RadixSort sort) {
    return of(requests, stretch, sort, row -> true);
  }

  /** The residences of those that came when few others were in flight. O(requests). */
  static Residences atLowLoad(ServerRequests requests, Cells cells, RadixSort sort) {
    boolean[] low = WorkUnits.lowCells(cells);
    Stretch stretch = new Stretch(cells.startNanos, cells.startOf(cells.count), "cells");
    return of(
        requests,
        stretch,
        sort,
        row -> {
          long arrived = requests.arrival[row] - cells.startNanos;
          return arrived >= 0 && low[(int) (arrived / WindowLengths.CELL_NANOS)];
        });
  }

  private static Residences of(
      ServerRequests requests, Stretch stretch, RadixSort sort, IntPredicate counted) {
    int classes = requests.classNames.size();
    int rows = requests.firstArrivalAtOrAfter(stretch.endNanos());
    int[] outcomes = new int[classes * OUTCOMES];
    for (int row = 0; row < rows; row++) {
      if (endsIn(requests, row, stretch) && counted.test(row)) {
        outcomes[requests.requestClass[row] * OUTCOMES + requests.outcome[row]]++;
      }
    }
    int[] offset = new int[classes + 1];
    for (int i = 0; i < classes; i++) {
      int answered = outcomes[i * OUTCOMES] + outcomes[i * OUTCOMES + ServerRequests.ERROR];
      offset[i + 1] = offset[i] + answered;
    }
    long[] nanos = new long[offset[classes]];
    long[] totals = new long[classes];
    int[] next = offset.clone();
    for (int row = 0; row < rows; row++) {
      if (isAnsweredIn(requests, row, stretch) && counted.test(row)) {
        long residence = requests.departure[row] - requests.arrival[row];
        int requestClass = requests.requestClass[row];
        nanos[next[requestClass]++] = residence;
        totals[requestClass] += residence;
      }
    }
    for (int i = 0; i < classes; i++) {
      sort.sort(nanos, offset[i], offset[i + 1]);
    }
    return new Residences(nanos, offset, totals, outcomes);
  }

  private static boolean endsIn(ServerRequests requests, int row, Stretch stretch) {
    long departed = requests.departure[row];
    return departed >= stretch.startNanos() && departed < stretch.endNanos();
  }

  /** Whether a request was answered in a stretch. */
  static boolean isAnsweredIn(ServerRequests requests, int row, Stretch stretch) {
    return endsIn(requests, row, stretch) && ServerRequests.isCompletion(requests.outcome[row]);
  }

  /** The requests of a class that ended in the stretch with an outcome. */
  int ended(int requestClass, byte outcome) {
    return outcomes[requestClass * OUTCOMES + outcome];
  }

  /** The requests of all classes that ended in the stretch with an outcome. */
  int ended(byte outcome) {
    int sum = 0;
    for (int i = outcome; i < outcomes.length; i += OUTCOMES) {
      sum += outcomes[i];
    }
    return sum;
  }

  int count() {
    return nanos.length;
  }

  int count(int requestClass) {
    return offset[requestClass + 1] - offset[requestClass];
  }

  /** The sum of a class's residences, in nanoseconds. */
  long total(int requestClass) {
    return totals[requestClass];
  }

  /** The sum of all residences, in nanoseconds. */
  long total() {
    long sum = 0;
    for (long total : totals) {
      sum += total;
    }
    return sum;
  }

  /** The main figures of one class. */
  Findings.Latency latency(int requestClass) {
    return Distributions.latency(
        nanos, offset[requestClass], offset[requestClass + 1], totals[requestClass]);
  }

  /** The number of residences of a class that are longer than a time. O(log n). */
  int longerThan(int requestClass, long timeNanos) {
    return offset[requestClass + 1]
        - Distributions.upperBound(
            nanos, offset[requestClass], offset[requestClass + 1], timeNanos);
  }

  /** The number of residences of any class that are at most a time. O(classes log n). */
  int atMost(long timeNanos) {
    int sum = 0;
    for (int i = 0; i + 1 < offset.length; i++) {
      sum += Distributions.upperBound(nanos, offset[i], offset[i + 1], timeNanos) - offset[i];
    }
    return sum;
  }

  /** The value of a rank (from 1) over all classes. Bisects on the value. */
  long ofRank(int rank) {
    long low = -1;
    long high = maximum();
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (atMost(middle) >= rank) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  long maximum() {
    long maximum = 0;
    for (int i = 0; i + 1 < offset.length; i++) {
      if (offset[i + 1] > offset[i]) {
        maximum = Math.max(maximum, nanos[offset[i + 1] - 1]);
      }
    }
    return maximum;
  }

  long minimum() {
    long minimum = Long.MAX_VALUE;
    for (int i = 0; i + 1 < offset.length; i++) {
      if (offset[i + 1] > offset[i]) {
        minimum = Math.min(minimum, nanos[offset[i]]);
      }
    }
    return minimum == Long.MAX_VALUE ? 0 : minimum;
  }

  /** The distribution over all classes. */
  Distribution distribution() {
    return Distributions.distribution(
        count(), total(), minimum(), maximum(), this::ofRank, this::atMost);
  }
}
