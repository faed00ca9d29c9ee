package org.terrace.control.link;

import java.util.function.Consumer;

/**
 * The number of processes of one kind that are there, of those that were named at the start, and
 * what it means that some are not. The first number is told, and each change. Thread-safe.
 */
public final class Attendance {
  private final String kind;
  private final int expected;
  private final int needed;
  private final String consequence;
  private final Consumer<String> told;
  private int present = -1;

  /**
   * The attendance of processes of which none was seen yet.
   *
   * @param kind what they are, in the plural
   * @param expected how many there are to be, the one who counts included
   * @param needed how many must be there so that what the consequence says does not hold, 1 to
   *     {@code expected}
   * @param consequence what is not promised while fewer are there
   * @param told takes each sentence
   */
  public Attendance(
      String kind, int expected, int needed, String consequence, Consumer<String> told) {
    if (needed < 1 || needed > expected) {
      throw new IllegalArgumentException(
          "of %d %s 1 or more are needed, and no more, got %d".formatted(expected, kind, needed));
    }
    this.kind = kind;
    this.expected = expected;
    this.needed = needed;
    this.consequence = consequence;
    this.told = told;
  }

  /** Takes note of how many are there now, the one who counts included. */
  public synchronized void seen(int count) {
    if (count == present) {
      return;
    }
    present = count;
    told.accept(
        count >= expected
            ? "all %d %s are there".formatted(expected, kind)
            : "%d of %d %s are there".formatted(count, expected, kind)
                + (count >= needed ? "" : ": " + consequence));
  }

  /** The number that were there when they were last counted; 0 before. */
  public synchronized int present() {
    return Math.max(0, present);
  }

  /** The number that there are to be. */
  public int expected() {
    return expected;
  }
}
