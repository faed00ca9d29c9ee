package org.terrace.seven;

import org.terrace.invocation.FailOverOptions;

/**
 * The numbering of the parts of fail-over in the study of Park'n Park, which turns them on one
 * after the other.
 */
final class Improvements {
  /** Their number. */
  static final int ALL = 6;

  private Improvements() {}

  /** The first so many improvements, 0 to 6. */
  static FailOverOptions through(int number) {
    return new FailOverOptions(
        number >= 1, number >= 2, number >= 3, number >= 4, number >= 5, number >= 6);
  }
}
