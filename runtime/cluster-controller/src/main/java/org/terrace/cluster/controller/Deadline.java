package org.terrace.cluster.controller;

import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;

/**
 * The moment at which all the steps of something have to be over, however many there are.
 *
 * @param atNanos the moment by that clock, in nanoseconds
 */
record Deadline(TimeSource time, long atNanos) {
  /** A moment that nobody waits for. */
  private static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(3_650);

  /** The moment after so many milliseconds. */
  static Deadline in(TimeSource time, long millis) {
    return new Deadline(time, time.elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** The moment after so many milliseconds of this machine's clock; 0: it never comes. */
  static Deadline orNever(long millis) {
    return in(TimeSource.system(), millis == 0 ? NEVER_MILLIS : millis);
  }

  /** The earlier of this and the moment after so many milliseconds; 0: this. */
  Deadline within(long millis) {
    Deadline other = in(time, millis);
    return millis > 0 && other.atNanos - atNanos < 0 ? other : this;
  }

  /** An equal share of what is left, for the first of so many attempts. */
  Deadline share(int attempts) {
    return new Deadline(time, time.elapsedNanos() + leftNanos() / attempts);
  }

  private long leftNanos() {
    return Math.max(0, atNanos - time.elapsedNanos());
  }

  /** Whether it is past. */
  boolean isOver() {
    return leftNanos() == 0;
  }

  /** The milliseconds that are left, rounded up, as a limit for a socket: 1 at least. */
  int leftMillis() {
    return Math.clamp((leftNanos() + 999_999) / 1_000_000, 1, Integer.MAX_VALUE);
  }
}
