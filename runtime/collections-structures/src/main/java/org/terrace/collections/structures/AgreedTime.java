package org.terrace.collections.structures;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The time of day as a group's members agree about it. It goes towards the median of their wall
 * clocks, the earlier of the middle two where their number is even, and is carried on by this
 * machine's monotonic clock. So one wild clock of three or more moves nobody's time, and of two the
 * one that lets entries live longer counts.
 *
 * <p>Where the median jumps ahead, for instance because a member with a slow clock has gone or was
 * put right, the time follows by a tenth of what passes: what is to expire in half an hour expires
 * no sooner than in 27 minutes. It goes back at once.
 *
 * <p>On that way the members keep together. Each tells how far it has come, and takes the median of
 * what those tell that are on their way, again the earlier of two; a member that is new, or begins
 * anew, joins them where they are. Until it has heard all that are there it takes part in the
 * hearing alone. So what one stamps is no older and no younger at another than messages take, and
 * one member of three or more that tells anything moves nobody.
 *
 * <p>A course is worth what it has lasted: one that members who began anew together have founded,
 * since they had not heard the others yet, gives way to one that was taken from others, and both to
 * one that has lasted for ten seconds, or was taken from two such: of one alone nobody knows
 * whether it is wild. In its own first ten seconds a member ends nothing unless it has joined
 * others, for there may be some that it does not see yet.
 *
 * <p>A clock and the course that goes with it count for a minute after it was last heard, whether
 * its member is there or not: two of three that lose sight of the third for a moment do not go back
 * by an hour with the wild one of them, to come ahead again no faster than by that tenth.
 *
 * <p>Changed by the holder of the replica's lock; read by any thread.
 */
public final class AgreedTime {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int SLEW = 10;

  /** The difference of two members' targets that is one of what messages take alone. */
  private static final long SAME_TARGET_MILLIS = 1_000;

  /** The time for which the clock of a replica that is not there any more counts. */
  private static final long REMEMBERED_MILLIS = 60_000;

  /** The time in which members that can hear each other have done so. */
  private static final long MEETING_MILLIS = 10_000;

  /**
   * The times that another told, and when, by this machine's monotonic clock.
   *
   * @param course those it told when it last had a course: it may have begun anew since, and count
   *     all the same until it has joined the others
   */
  private record Clock(ClocksTold told, long heardMillis, @Nullable Clock course) {
    long leadMillis() {
      return told.wallMillis() - heardMillis;
    }

    @Nullable Clock lastCourse() {
      return told.isSettled() ? this : course;
    }

    int standing() {
      Clock last = lastCourse();
      return last == null ? ClocksTold.NONE : last.told.standing();
    }

    boolean lasts() {
      return standing() == ClocksTold.LASTING;
    }

    /** Its course as it is by now; that of one that goes towards the same takes no time to come. */
    long courseMillis(long nowMillis, long targetMillis) {
      boolean isSame =
          Math.abs(told.targetMillis() - heardMillis - targetMillis) <= SAME_TARGET_MILLIS;
      long base = isSame ? targetMillis - told.behindMillis() : told.agreedMillis() - heardMillis;
      return new Course(base, heardMillis, targetMillis).aheadMillis(nowMillis);
    }
  }

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

  private final long beganMillis;
  private final Map<Long, Clock> others = new HashMap<>();
  private boolean settled;
  private boolean joined;
  private boolean lasts;
  private long settledMillis;
  private volatile Course course;

  /** The time by this machine's clocks alone, from that moment on. */
  public AgreedTime(StepTime began) {
    long own = leadMillis(began);
    this.beganMillis = began.elapsedMillis();
    this.course = new Course(own, began.elapsedMillis(), own);
  }

  /** Milliseconds since 1970 at that time of the monotonic clock. */
  public long millisAt(long elapsedNanos) {
    long elapsed = elapsedNanos / NANOS_PER_MILLI;
    return elapsed + course.aheadMillis(elapsed);
  }

  /** The times that others are told. */
  public ClocksTold told(StepTime now) {
    return settled
        ? new ClocksTold(
            now.wallMillis(),
            standing(now.elapsedMillis()),
            millisAt(now.elapsedNanos()),
            now.elapsedMillis() + course.targetMillis)
        : ClocksTold.ofWall(now.wallMillis());
  }

  /**
   * Takes note of what another's clocks showed just now.
   *
   * @param replica the number that all incarnations of the other have in common, so that one
   *     machine counts once however often its process begins anew
   */
  public void observe(long replica, ClocksTold theirs, StepTime now) {
    Clock before = others.get(replica);
    Clock course = theirs.isSettled() || before == null ? null : before.lastCourse();
    others.put(replica, new Clock(theirs, now.elapsedMillis(), course));
  }

  /**
   * Judges by the clocks of the replicas that are there, and of those that were a minute ago.
   *
   * @param isThere whether a replica is in the view
   * @param othersThere how many others are
   */
  public void settle(StepTime now, LongPredicate isThere, int othersThere) {
    long elapsed = now.elapsedMillis();
    others
        .entrySet()
        .removeIf(other ->
            !isThere.test(other.getKey())
                && elapsed - other.getValue().heardMillis > REMEMBERED_MILLIS);
    long[] clocks = new long[others.size() + 1];
    int index = 0;
    for (Clock other : others.values()) {
      clocks[index++] = other.leadMillis();
    }
    clocks[index] = leadMillis(now);
    long target = lowerMedian(clocks);
    int standing = highestStanding();
    course = new Course(Math.min(target, courseMillis(elapsed, target, standing)), elapsed, target);
    if (othersThere > 0 && others.keySet().stream().filter(isThere::test).count() >= othersThere) {
      settledMillis = settled ? settledMillis : elapsed;
      settled = true;
      joined |= standing > ClocksTold.FOUNDED;
      lasts |= others.values().stream().filter(Clock::lasts).count() > 1;
    }
  }

  private int standing(long elapsed) {
    if (!settled) {
      return ClocksTold.NONE;
    }
    if (lasts || elapsed - settledMillis >= MEETING_MILLIS) {
      return ClocksTold.LASTING;
    }
    return joined ? ClocksTold.JOINED : ClocksTold.FOUNDED;
  }

  private int highestStanding() {
    int highest = ClocksTold.NONE;
    for (Clock other : others.values()) {
      highest = Math.max(highest, other.standing());
    }
    return highest;
  }

  /**
   * The course of those whose own is worth most. One that is not of them, and hears an even number,
   * lets its target decide between them: which one of two is wild it cannot tell otherwise.
   *
   * @param standing the highest of the others
   */
  private long courseMillis(long elapsed, long target, int standing) {
    long[] courses = new long[others.size() + 1];
    int count = 0;
    boolean isOwnHighest = settled && standing(elapsed) >= standing;
    int counted = isOwnHighest ? standing(elapsed) : standing;
    for (Clock other : others.values()) {
      Clock last = other.lastCourse();
      if (last != null && other.standing() == counted) {
        courses[count++] = last.courseMillis(elapsed, target);
      }
    }
    if (isOwnHighest) {
      courses[count++] = course.aheadMillis(elapsed);
    } else if (count % 2 == 0) {
      courses[count++] = target;
    }
    return lowerMedian(Arrays.copyOf(courses, count));
  }

  private static long lowerMedian(long[] values) {
    Arrays.sort(values);
    return values[(values.length - 1) / 2];
  }

  /** Whether half of that many others, at least, have been heard of. */
  public boolean isAgreed(int othersThere) {
    return 2 * others.size() >= othersThere;
  }

  /**
   * Whether what is over by this time may be ended for all: the course was taken from others, or
   * there was time to hear them. To be asked after the time was settled.
   */
  public boolean mayEnd() {
    return joined || course.atMillis - beganMillis >= MEETING_MILLIS;
  }

  private static long leadMillis(StepTime moment) {
    return moment.wallMillis() - moment.elapsedMillis();
  }
}
