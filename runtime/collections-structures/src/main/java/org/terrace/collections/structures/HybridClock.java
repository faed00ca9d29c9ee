package org.terrace.collections.structures;

import org.terrace.core.TimeSource;

/**
 * A hybrid logical clock: stamps that follow the wall clock, never go back, and are later than
 * every stamp seen before. 48 bits of milliseconds since 1970, 16 bits of counter.
 *
 * <p>A stamp from further in the future than the limit does not move the clock, so that one wild
 * clock does not drag all others along; it is counted. Source: Kulkarni and others, "Logical
 * Physical Clocks", 2014. Confined.
 */
public final class HybridClock {
  private static final int COUNTER_BITS = 16;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final TimeSource time;
  private final AgreedTime agreed;
  private final long skewMaxMillis;
  private long last;
  private long skewed;

  /**
   * A clock at its beginning that follows the given wall clock, and ignores stamps too far ahead of
   * it.
   */
  public HybridClock(TimeSource time, long skewMaxMillis) {
    this.time = time;
    this.agreed = new AgreedTime(time);
    this.skewMaxMillis = skewMaxMillis;
  }

  /** A stamp later than all before. */
  public long next() {
    last = Math.max(last + 1, wallMillis() << COUNTER_BITS);
    return last;
  }

  /** Takes note of a stamp of another replica. */
  public void observe(long stamp) {
    if (stamp <= last) {
      return;
    }
    if (millisOf(stamp) > wallMillis() + skewMaxMillis) {
      skewed++;
    } else {
      last = stamp;
    }
  }

  /** The time of day by which entries expire. */
  public AgreedTime agreed() {
    return agreed;
  }

  /** Milliseconds since 1970 as the members of the group agree. */
  public long nowMillis() {
    return agreed.nowMillis();
  }

  /** Stamps that came from too far in the future. */
  public long skewedStamps() {
    return skewed;
  }

  static long millisOf(long stamp) {
    return stamp >>> COUNTER_BITS;
  }

  private long wallMillis() {
    return time.epochNanos() / NANOS_PER_MILLI;
  }
}
