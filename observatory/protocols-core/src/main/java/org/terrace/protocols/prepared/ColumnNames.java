package org.terrace.protocols.prepared;

import org.terrace.wire.bytes.Bytes;

/**
 * The columns of a result as a text, table by table: {@code story: id, title; user: name}. Columns
 * without a table stand for themselves. Beyond {@value #LISTED_MAX} columns or {@value #CHARS_MAX}
 * characters they are counted, with a number that differs where their names do. Confined to one
 * thread.
 */
public final class ColumnNames {
  static final int LISTED_MAX = 12;
  static final int CHARS_MAX = 160;
  private static final int NAME_CHARS_MAX = 64;

  private final StringBuilder text = new StringBuilder();
  private String table = "";
  private long hash;
  private int count;
  private int listed;

  /** Adds a column. */
  public void add(String ofTable, String name) {
    hash = Bytes.mix(hash * 31 + ofTable.hashCode() * 17L + name.hashCode());
    if (listed == count && listed < LISTED_MAX && text.length() < CHARS_MAX) {
      boolean same = listed > 0 && ofTable.equals(table);
      text.append(listed == 0 ? "" : same ? ", " : "; ");
      if (!same && !ofTable.isEmpty()) {
        text.append(cut(ofTable)).append(": ");
      }
      text.append(cut(name));
      table = ofTable;
      listed++;
    }
    count++;
  }

  private static String cut(String name) {
    return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
  }

  /** The number of columns so far. */
  public int count() {
    return count;
  }

  /**
   * The text.
   *
   * @param told how many columns the result has, of which those that were not added are cut off
   */
  public String text(int told) {
    int more = Math.max(told, count) - listed;
    return more == 0
        ? text.toString()
        : text + (listed == 0 ? "" : ", ") + more + " more #" + Integer.toHexString((int) hash);
  }
}
