package org.terrace.collections.structures;

/**
 * A hybrid logical clock: stamps that follow the wall clock, never go back, and are later than
 * every stamp seen before. 48 bits of milliseconds since 1970, 16 bits of counter.
 *
 * <p>A stamp from further in the future than the limit does not move the clock, so that one wild
 * clock does not drag all others along; it is counted. It stands still within a step. Source:
 * Kulkarni and others, "Logical Physical Clocks", 2014. Confined.
 */
public final class HybridClock {
  private static final int COUNTER_BITS = 16;

  private final AgreedTime agreed;
  private final long skewMaxMillis;
  private StepTime now;
  private long last;
  private long skewed;

  /** A clock that begins at that moment, and ignores stamps too far ahead of the wall clock. */
  public HybridClock(StepTime began, long skewMaxMillis) {
    this.now = began;
    this.agreed = new AgreedTime(began);
    this.skewMaxMillis = skewMaxMillis;
  }

  /** Goes on to the time of the step that begins. */
  public void stepAt(StepTime moment) {
    now = moment;
  }

  /** The time of the step. */
  public StepTime now() {
    return now;
  }

  /** A stamp later than all before. */
  public long next() {
    last = Math.max(last + 1, now.wallMillis() << COUNTER_BITS);
    return last;
  }

  /** Takes note of a stamp of another replica. */
  public void observe(long stamp) {
    if (stamp <= last) {
      return;
    }
    if (millisOf(stamp) > now.wallMillis() + skewMaxMillis) {
      skewed++;
    } else {
      last = stamp;
    }
  }

  /** The time of day by which entries expire. */
  public AgreedTime agreed() {
    return agreed;
  }

  /** Stamps that came from too far in the future. */
  public long skewedStamps() {
    return skewed;
  }

  static long millisOf(long stamp) {
    return stamp >>> COUNTER_BITS;
  }
}
