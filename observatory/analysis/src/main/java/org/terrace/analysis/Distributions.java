package org.terrace.analysis;

import java.util.function.IntToLongFunction;
import java.util.function.LongToIntFunction;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Percentiles;

/** The figures and histograms of sets of times, exact, by their sorted values or ranks. */
final class Distributions {
  private static final double NANOS_PER_MICRO = 1e3;

  /** Bins of the histogram for each doubling of the time. */
  private static final int BINS_PER_DOUBLING = 4;

  /** Times below this share a bin edge: clocks seldom resolve more. */
  private static final double SHORTEST_EDGE_NANOS = 1e3;

  private static final double[] CURVE = {
    0, 1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 96, 97, 98, 99, 99.5, 99.7,
    99.9, 99.95, 99.99, 99.999, 100
  };

  private Distributions() {}

  /** The first index in {@code sorted[from, to)} whose value is greater than a time. */
  static int upperBound(long[] sorted, int from, int to, long time) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The main figures of {@code sorted[from, to)}; zeros when it is empty. */
  static Findings.Latency latency(long[] sorted, int from, int to, long total) {
    if (from == to) {
      return new Findings.Latency(0, 0, 0, 0, 0);
    }
    return new Findings.Latency(
        total / NANOS_PER_MICRO / (to - from),
        Percentiles.ofSorted(sorted, from, to, 50) / NANOS_PER_MICRO,
        Percentiles.ofSorted(sorted, from, to, 99) / NANOS_PER_MICRO,
        Percentiles.ofSorted(sorted, from, to, 99.9) / NANOS_PER_MICRO,
        sorted[to - 1] / NANOS_PER_MICRO);
  }

  /** The distribution of a sorted array. */
  static Distribution distribution(long[] sorted) {
    int count = sorted.length;
    long total = 0;
    for (long value : sorted) {
      total += value;
    }
    return distribution(
        count,
        total,
        count == 0 ? 0 : sorted[0],
        count == 0 ? 0 : sorted[count - 1],
        rank -> sorted[rank - 1],
        time -> upperBound(sorted, 0, count, time));
  }

  /** The distribution of values known by their ranks and cumulative counts. */
  static Distribution distribution(
      int count,
      long total,
      long minimum,
      long maximum,
      IntToLongFunction ofRank,
      LongToIntFunction atMost) {
    if (count == 0) {
      return new Distribution(
          0,
          new Findings.Latency(0, 0, 0, 0, 0),
          new double[0],
          new long[0],
          new double[0],
          new double[0]);
    }
    double[] curve = new double[CURVE.length];
    for (int i = 0; i < curve.length; i++) {
      curve[i] = ofRank.applyAsLong(Percentiles.rank(count, CURVE[i])) / NANOS_PER_MICRO;
    }
    Findings.Latency summary =
        new Findings.Latency(
            total / NANOS_PER_MICRO / count,
            ofRank.applyAsLong(Percentiles.rank(count, 50)) / NANOS_PER_MICRO,
            ofRank.applyAsLong(Percentiles.rank(count, 99)) / NANOS_PER_MICRO,
            ofRank.applyAsLong(Percentiles.rank(count, 99.9)) / NANOS_PER_MICRO,
            maximum / NANOS_PER_MICRO);
    int lowest = edgeBelow(minimum);
    int bins = edgeBelow(maximum) - lowest + 1;
    double[] edges = new double[bins + 1];
    long[] counts = new long[bins];
    int below = 0;
    for (int bin = 0; bin <= bins; bin++) {
      double edgeNanos = edgeNanos(lowest + bin);
      edges[bin] = edgeNanos / NANOS_PER_MICRO;
      if (bin > 0) {
        int upTo = bin == bins ? count : atMost.applyAsInt((long) Math.ceil(edgeNanos) - 1);
        counts[bin - 1] = Math.subtractExact(upTo, below);
        below = upTo;
      }
    }
    return new Distribution(count, summary, edges, counts, CURVE.clone(), curve);
  }

  private static int edgeBelow(long nanos) {
    if (nanos < SHORTEST_EDGE_NANOS) {
      return 0;
    }
    double doublings = Math.log(nanos / SHORTEST_EDGE_NANOS) / Math.log(2);
    int edge = 1 + (int) Math.floor(doublings * BINS_PER_DOUBLING);
    // Rounding may put a value that lies on an edge on its wrong side.
    return edgeNanos(edge) > nanos ? edge - 1 : edge;
  }

  /** Edge 0 is zero, edge 1 the shortest, and every further one a quarter doubling on. */
  private static double edgeNanos(int edge) {
    return edge == 0
        ? 0
        : SHORTEST_EDGE_NANOS * Math.pow(2, (edge - 1) / (double) BINS_PER_DOUBLING);
  }
}
