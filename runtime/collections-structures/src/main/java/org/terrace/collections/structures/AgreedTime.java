package org.terrace.collections.structures;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.terrace.core.TimeSource;

/**
 * The time of day as a group's members agree about it: the median of their wall clocks, the earlier
 * of the middle two where their number is even, carried on by this machine's monotonic clock. So
 * one wild clock of three or more moves nobody's time, and of two the one that lets entries live
 * longer counts.
 *
 * <p>Once this replica has heard of all others its time goes ahead by at most a tenth of what
 * passes where the median jumps ahead, for instance because a member with a slow clock has gone:
 * what is to expire in half an hour expires no sooner than in 27 minutes. It goes back at once.
 *
 * <p>Changed by the holder of the replica's lock; read by any thread.
 */
public final class AgreedTime {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int SLEW = 10;

  /**
   * The course of the time: its lead over the monotonic clock, which moves towards a target.
   *
   * @param baseMillis at that moment
   * @param atMillis the moment, by the monotonic clock
   * @param targetMillis what it goes towards
   */
  private record Course(long baseMillis, long atMillis, long targetMillis) {
    long aheadMillis(long nowMillis) {
      return Math.min(targetMillis, baseMillis + (nowMillis - atMillis) / SLEW);
    }
  }

  private final TimeSource time;
  private final Map<Long, Long> others = new HashMap<>();
  private boolean settled;
  private volatile Course course;

  /** The time by this machine's clocks alone. */
  public AgreedTime(TimeSource time) {
    this.time = time;
    long own = ownMillis();
    this.course = new Course(own, elapsedMillis(), own);
  }

  /** Milliseconds since 1970. */
  public long nowMillis() {
    long elapsed = elapsedMillis();
    return elapsed + course.aheadMillis(elapsed);
  }

  /** This machine's wall clock, which others are told. */
  public long wallMillis() {
    return time.epochNanos() / NANOS_PER_MILLI;
  }

  /** Takes note of what another member's wall clock showed just now. */
  public void observe(long member, long theirWallMillis) {
    others.put(member, theirWallMillis - elapsedMillis());
  }

  /**
   * Judges by the clocks of the members that are there now.
   *
   * @param isThere whether a member is in the view
   * @param othersThere how many others are
   */
  public void settle(LongPredicate isThere, int othersThere) {
    others.keySet().removeIf(member -> !isThere.test(member));
    long[] clocks = new long[others.size() + 1];
    int index = 0;
    for (long other : others.values()) {
      clocks[index++] = other;
    }
    clocks[index] = ownMillis();
    Arrays.sort(clocks);
    long median = clocks[(clocks.length - 1) / 2];
    long elapsed = elapsedMillis();
    long base = settled ? Math.min(median, course.aheadMillis(elapsed)) : median;
    course = new Course(base, elapsed, median);
    settled |= othersThere > 0 && others.size() >= othersThere;
  }

  /** Whether half of that many others, at least, have been heard of. */
  public boolean isAgreed(int othersThere) {
    return 2 * others.size() >= othersThere;
  }

  private long ownMillis() {
    return wallMillis() - elapsedMillis();
  }

  private long elapsedMillis() {
    return time.elapsedNanos() / NANOS_PER_MILLI;
  }
}
