package org.terrace.collections;

import java.time.Duration;

/**
 * The time for which an entry of a map lives: from its creation, its last update, its last use, or
 * whichever of them ends first. Zero stands for any time. Immutable.
 *
 * <p>A use is a read by its key ({@code get}, {@code getOrDefault}) or an update, at any replica.
 * Uses are spread among the replicas by themselves, at most once a quarter of {@code sinceUse} from
 * each of them, so that an entry that is not used any more lives up to a quarter longer.
 *
 * @param sinceCreation how long it lives after it came to a key where there was none; zero for ever
 * @param sinceUpdate how long it lives after its last put; zero for ever
 * @param sinceUse how long it lives at least after its last use; zero for ever
 */
public record Expiry(Duration sinceCreation, Duration sinceUpdate, Duration sinceUse) {
  /** Longest time to live but for ever: a hundred years. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  /** Entries that live until they are removed. */
  public static final Expiry NEVER = new Expiry(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /** Checks the ranges. */
  public Expiry {
    check("sinceCreation", sinceCreation);
    check("sinceUpdate", sinceUpdate);
    check("sinceUse", sinceUse);
  }

  private static void check(String what, Duration time) {
    if (time.isNegative() || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          what + " is 0 to " + LONGEST.toDays() + " days, and 0 is for ever; got " + time);
    }
    if (time.isPositive() && time.toMillis() == 0) {
      throw new IllegalArgumentException(what + " is 1 ms or more, or 0 for ever; got " + time);
    }
  }

  /** A life of that time from the creation on, which later puts do not prolong. */
  public static Expiry sinceCreation(Duration time) {
    return new Expiry(time, Duration.ZERO, Duration.ZERO);
  }

  /** A life of that time from the last put on. */
  public static Expiry sinceUpdate(Duration time) {
    return new Expiry(Duration.ZERO, time, Duration.ZERO);
  }

  /** A life of that time from the last use on. */
  public static Expiry sinceUse(Duration time) {
    return new Expiry(Duration.ZERO, Duration.ZERO, time);
  }

  /** The same, and over that time after the last use as well. */
  public Expiry orSinceUse(Duration time) {
    return new Expiry(sinceCreation, sinceUpdate, time);
  }
}
