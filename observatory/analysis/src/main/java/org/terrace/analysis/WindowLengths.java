package org.terrace.analysis;

import java.util.List;

/**
 * The window lengths at which load and throughput are analysed. Each is a whole multiple of the
 * shortest, so that every series is a sum of cells of the shortest length. Stateless.
 */
public final class WindowLengths {
  /** The lengths in milliseconds, ascending. */
  public static final List<Integer> MILLIS = List.of(5, 10, 20, 50, 100, 200, 250, 500, 1_000);

  /** The length used where the data cannot decide; that of Wang et al. (2013). */
  public static final int DEFAULT_MILLIS = 50;

  /** The length at which stalls are looked for. */
  public static final int STALL_MILLIS = 10;

  static final int CELL_MILLIS = 5;
  static final long CELL_NANOS = CELL_MILLIS * 1_000_000L;

  private WindowLengths() {}

  static boolean isOne(int millis) {
    return MILLIS.contains(millis);
  }

  static String listed() {
    return MILLIS.toString();
  }

  static int cells(int millis) {
    return millis / CELL_MILLIS;
  }
}
