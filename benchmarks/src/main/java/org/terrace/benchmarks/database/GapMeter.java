package org.terrace.benchmarks.database;

/** The longest time in which nothing was done, of all that clients do together. Thread-safe. */
final class GapMeter {
  private long lastNanos;
  private long longestNanos;

  /** Begins anew. */
  synchronized void begin(long nowNanos) {
    lastNanos = nowNanos;
    longestNanos = 0;
  }

  /** Something was done. */
  synchronized void done(long nowNanos) {
    longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
    lastNanos = Math.max(lastNanos, nowNanos);
  }

  /** The longest gap since the beginning, also one that still lasts, in milliseconds. */
  synchronized double longestMillis(long nowNanos) {
    return Math.max(longestNanos, nowNanos - lastNanos) / 1e6;
  }
}
