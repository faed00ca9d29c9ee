package org.terrace.collections.structures;

/**
 * The times that a member shows when it tells another, all in milliseconds since 1970.
 *
 * @param wallMillis by its wall clock
 * @param standing what its course is worth beside others; if it has none, the rest is not said
 * @param agreedMillis by its agreed time
 * @param targetMillis that towards which its agreed time goes
 */
public record ClocksTold(long wallMillis, int standing, long agreedMillis, long targetMillis) {
  /** The standing of a member that has no course to tell. */
  static final int NONE = 0;

  /** The standing of a course that began among members of which none knew an earlier one. */
  static final int FOUNDED = 1;

  /** The standing of a course that was just taken from others that had one. */
  static final int JOINED = 2;

  /** The standing of a course that has lasted, or was taken from two such; the highest. */
  public static final int LASTING = 3;

  /** The times of a member that has no course yet, or tells none. */
  public static ClocksTold ofWall(long wallMillis) {
    return new ClocksTold(wallMillis, NONE, 0, 0);
  }

  /** Whether it has a course of its own to tell. */
  public boolean isSettled() {
    return standing > NONE;
  }

  /** The distance by which its agreed time is behind what it goes towards. */
  long behindMillis() {
    return targetMillis - agreedMillis;
  }
}
