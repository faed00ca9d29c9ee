package org.terrace.cluster.core;

import java.util.Comparator;

/**
 * The whole database, a table or a row of it, or a name beside the database, as something to lock.
 * The order puts a whole before its parts.
 *
 * @param table the table, or a name beside the database; empty: the whole database
 * @param key the row's key as text; empty: all of the table
 */
public record Lockable(String table, String key) implements Comparable<Lockable> {
  /** The whole database. */
  public static final Lockable DATABASE = new Lockable("", "");

  /** No table's name begins with it. */
  private static final String BESIDE = "\u0000";

  private static final Comparator<Lockable> ORDER =
      Comparator.comparing(Lockable::table).thenComparing(Lockable::key);

  /** A whole table. */
  public static Lockable ofTable(String name) {
    return new Lockable(name, "");
  }

  /** A name that is no part of the database: a lock on it needs none on the database. */
  public static Lockable ofName(String name) {
    return new Lockable(BESIDE + name, "");
  }

  /** Whether it is a part of the database, but not all of it. */
  boolean isPart() {
    return !table.isEmpty() && !table.startsWith(BESIDE);
  }

  /** The thing in words, within a sentence. */
  public String inWords() {
    if (table.isEmpty()) {
      return "the whole database";
    }
    if (!isPart()) {
      return "the cluster's " + table.substring(BESIDE.length());
    }
    return key.isEmpty() ? "the table " + table : "the row %s of %s".formatted(key, table);
  }

  @Override
  public int compareTo(Lockable other) {
    return ORDER.compare(this, other);
  }
}
