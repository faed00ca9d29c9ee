package org.terrace.analysis;

/** A stall before its causes are known: times in nanoseconds since the Unix epoch. */
record DetectedStall(long startNanos, long endNanos, int peakLoad) {
  long lengthNanos() {
    return endNanos - startNanos;
  }

  boolean overlaps(long fromNanos, long toNanos) {
    return startNanos < toNanos && endNanos > fromNanos;
  }
}
