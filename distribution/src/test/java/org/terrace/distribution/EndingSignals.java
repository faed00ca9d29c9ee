package org.terrace.distribution;

import java.util.List;
import java.util.stream.IntStream;

/** The signals that end a command: to it alone, or to its whole group. */
final class EndingSignals {
  static final List<String> ALL =
      List.of("kill -INT %d", "kill -INT -%d", "kill -KILL %d", "kill -KILL -%d");

  private EndingSignals() {}

  /**
   * As many signals, the first that of the given index: four in a row are all there are, and of two
   * one is an interrupt and the other a kill.
   */
  static List<String> of(int first, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> ALL.get((first + 2 * i + i / 2) % ALL.size()))
        .toList();
  }
}
