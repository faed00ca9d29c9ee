package org.terrace.load;

/**
 * The longest time in which nothing was done, of all that clients do together. Moments are those of
 * one monotonic clock, in nanoseconds. Thread-safe.
 */
public final class GapMeter {
  private long lastNanos;
  private long longestNanos;

  /** Begins anew. */
  public synchronized void begin(long nowNanos) {
    lastNanos = nowNanos;
    longestNanos = 0;
  }

  /** Tells that something was done. */
  public synchronized void done(long nowNanos) {
    longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
    lastNanos = Math.max(lastNanos, nowNanos);
  }

  /** The longest gap since the beginning, also one that still lasts, in milliseconds. */
  public synchronized double longestMillis(long nowNanos) {
    return Math.max(longestNanos, nowNanos - lastNanos) / 1e6;
  }
}
