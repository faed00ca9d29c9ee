package org.terrace.evidence.host;

/**
 * The interval of a watch that keeps its cost: where the last seconds cost more of a core than they
 * may, it reads half as often, down to every {@value #LONGEST_MILLIS} ms, and as often as asked
 * again once they cost less than half of that. What the start of the program costs is left out.
 * Confined to one thread.
 */
final class WatchPace {
  /** The longest interval that a watch slows down to by itself. */
  static final long LONGEST_MILLIS = 50;

  /** The length of a stretch over which its cost is counted. */
  static final long STRETCH_NANOS = 5_000_000_000L;

  private static final long LONGEST_NANOS = LONGEST_MILLIS * 1_000_000;

  /** The part of what it may cost from which on it slows down: before it costs too much. */
  private static final double NEARLY = 0.9;

  private final long askedNanos;
  private long everyNanos;
  private long sinceElapsed;
  private long sinceProcessor;
  private long steadyElapsed;
  private long steadyProcessor;
  private long longestNanos;
  private boolean warm;

  WatchPace(long askedNanos, long elapsedNanos, long processorNanos) {
    this.askedNanos = askedNanos;
    everyNanos = askedNanos;
    longestNanos = askedNanos;
    sinceElapsed = elapsedNanos;
    sinceProcessor = processorNanos;
  }

  /** Takes the time and the processor time of this process, and tells the interval from now on. */
  long next(long elapsedNanos, long processorNanos) {
    long passed = elapsedNanos - sinceElapsed;
    if (passed < STRETCH_NANOS) {
      return everyNanos;
    }
    double used = processorNanos - sinceProcessor;
    double share = used / passed;
    if (warm) {
      steadyElapsed += passed;
      steadyProcessor += Math.round(used);
      if (share > NEARLY * WatchResult.MOST_CORE_SHARE) {
        everyNanos = Math.max(askedNanos, Math.min(2 * everyNanos, LONGEST_NANOS));
      } else if (share < WatchResult.MOST_CORE_SHARE / 2) {
        everyNanos = Math.max(askedNanos, everyNanos / 2);
      }
      longestNanos = Math.max(longestNanos, everyNanos);
    }
    warm = true;
    sinceElapsed = elapsedNanos;
    sinceProcessor = processorNanos;
    return everyNanos;
  }

  /** The share of a core after the first stretch; not a number where there was no more. */
  double steadyShare() {
    return steadyElapsed == 0 ? Double.NaN : (double) steadyProcessor / steadyElapsed;
  }

  /** The longest interval that it slowed down to. */
  long longestMillis() {
    return longestNanos / 1_000_000;
  }
}
