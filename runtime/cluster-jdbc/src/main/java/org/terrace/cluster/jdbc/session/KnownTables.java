package org.terrace.cluster.jdbc.session;

import java.util.function.Consumer;

/**
 * The tables by which statements are judged, and how often they have changed. Who notes the number,
 * judges, writes and finds the number unchanged has judged by tables that were right all the while.
 * Thread-safe.
 *
 * @param <T> tables
 */
final class KnownTables<T> {
  private final Consumer<T> use;
  private long changes;

  /** Tables that have not changed; {@code use} has statements judged by others. */
  KnownTables(Consumer<T> use) {
    this.use = use;
  }

  /** How often they have changed. */
  synchronized long changes() {
    return changes;
  }

  /** Judges by these from now on, and gives the number of this change. */
  synchronized long change(T tables) {
    use.accept(tables);
    changes++;
    return changes;
  }

  /**
   * Judges by these from now on, unless others have come since a change.
   *
   * @param last the number of the change that these undo
   */
  synchronized void changeUnlessChanged(long last, T tables) {
    if (changes == last) {
      use.accept(tables);
      changes++;
    }
  }
}
