package org.terrace.cluster.sql;

import java.util.function.Consumer;

/**
 * The tables by which statements are judged, and how often they have changed. Who notes the number,
 * judges, writes and finds the number unchanged has judged by tables that were right all the while.
 * Thread-safe.
 *
 * @param <T> tables
 */
public final class KnownTables<T> {
  /**
   * A change that may yet be undone.
   *
   * @param number the changes that there were with it
   * @param before the tables before it
   */
  public record Change<T>(long number, T before) {}

  private final Consumer<T> use;
  private T inUse;
  private long changes;

  /** Tables that have not changed; {@code use} has statements judged by others. */
  public KnownTables(T first, Consumer<T> use) {
    this.inUse = first;
    this.use = use;
  }

  /** The number of times that they have changed. */
  public synchronized long changes() {
    return changes;
  }

  /** Judges by these from now on. */
  public synchronized Change<T> change(T tables) {
    T before = inUse;
    become(tables);
    return new Change<>(changes, before);
  }

  /**
   * Judges by these from now on, unless others have come since a change.
   *
   * @param last the number of the change that these undo
   */
  public synchronized void changeUnlessChanged(long last, T tables) {
    if (changes == last) {
      become(tables);
    }
  }

  private void become(T tables) {
    use.accept(tables);
    inUse = tables;
    changes++;
  }
}
