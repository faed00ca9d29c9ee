package org.terrace.analysis;

/**
 * A stall before its causes are known.
 *
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end
 * @param peakLoad the most requests in flight during it
 * @param silenceNanos the longest time in it without an answer
 */
record DetectedStall(long startNanos, long endNanos, int peakLoad, long silenceNanos) {
  long lengthNanos() {
    return endNanos - startNanos;
  }

  boolean overlaps(long fromNanos, long toNanos) {
    return startNanos < toNanos && endNanos > fromNanos;
  }
}
