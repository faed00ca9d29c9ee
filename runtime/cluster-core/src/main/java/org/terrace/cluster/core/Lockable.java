package org.terrace.cluster.core;

import java.util.Comparator;

/**
 * The whole database, a table or a row of it, as something to lock. The order puts a whole before
 * its parts.
 *
 * @param table the table, or any other name; empty: the whole database
 * @param key the row's key as text; empty: all of the table
 */
public record Lockable(String table, String key) implements Comparable<Lockable> {
  /** The whole database. */
  public static final Lockable DATABASE = new Lockable("", "");

  private static final Comparator<Lockable> ORDER =
      Comparator.comparing(Lockable::table).thenComparing(Lockable::key);

  /** A whole table. */
  public static Lockable ofTable(String name) {
    return new Lockable(name, "");
  }

  @Override
  public int compareTo(Lockable other) {
    return ORDER.compare(this, other);
  }
}
