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
 * <p>A clock counts for a minute after it was last heard, whether its member is there or not: two
 * of three that lose sight of the third for a moment do not go back by an hour with the wild one of
 * them, to come ahead again no faster than by that tenth.
 *
 * <p>Changed by the holder of the replica's lock; read by any thread.
 */
public final class AgreedTime {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int SLEW = 10;

  /** The lead of a wall clock over this machine's monotonic one, and when it was last heard. */
  private record Clock(long leadMillis, long heardMillis) {}

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

  /** The time for which the clock of a replica that is not there any more counts. */
  private static final long REMEMBERED_MILLIS = 60_000;

  private final Map<Long, Clock> others = new HashMap<>();
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

  /**
   * Takes note of what another's wall clock showed just now.
   *
   * @param replica the number that all incarnations of the other have in common, so that one
   *     machine counts once however often its process begins anew
   */
  public void observe(long replica, long theirWallMillis) {
    long elapsed = elapsedMillis();
    others.put(replica, new Clock(theirWallMillis - elapsed, elapsed));
  }

  /**
   * Judges by the clocks of the replicas that are there, and of those that were a minute ago.
   *
   * @param isThere whether a replica is in the view
   * @param othersThere how many others are
   */
  public void settle(LongPredicate isThere, int othersThere) {
    long elapsed = elapsedMillis();
    others
        .entrySet()
        .removeIf(other ->
            !isThere.test(other.getKey())
                && elapsed - other.getValue().heardMillis > REMEMBERED_MILLIS);
    long[] clocks = new long[others.size() + 1];
    int index = 0;
    for (Clock other : others.values()) {
      clocks[index++] = other.leadMillis;
    }
    clocks[index] = ownMillis();
    Arrays.sort(clocks);
    long median = clocks[(clocks.length - 1) / 2];
    long base = settled ? Math.min(median, course.aheadMillis(elapsed)) : median;
    course = new Course(base, elapsed, median);
    settled |=
        othersThere > 0 && others.keySet().stream().filter(isThere::test).count() >= othersThere;
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
