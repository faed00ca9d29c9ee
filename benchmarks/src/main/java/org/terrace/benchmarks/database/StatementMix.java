package org.terrace.benchmarks.database;

import org.terrace.benchmarks.OnlyFlag;

/** A mix of transactions that clients ask for, one after another without a pause. */
enum StatementMix {
  /** The bulletin board's: four of five read a story with its remarks, one adds a remark. */
  BOARD(0.2, MixSession.STORIES, "story", "comments", "remark", "story"),
  /** Nothing but changes of {@value MixSession#HOT_ROWS} rows, each with an entry in a journal. */
  HOT_ROWS(1, MixSession.HOT_ROWS, "hot", "n", "journal", "hot");

  private final double writeShare;
  private final int rows;
  private final String counters;
  private final String counter;
  private final String entries;
  private final String entryColumn;

  StatementMix(
      double writeShare,
      int rows,
      String counters,
      String counter,
      String entries,
      String entryColumn) {
    this.writeShare = writeShare;
    this.rows = rows;
    this.counters = counters;
    this.counter = counter;
    this.entries = entries;
    this.entryColumn = entryColumn;
  }

  /** The share of the transactions that write, 0 to 1. */
  double writeShare() {
    return writeShare;
  }

  /** The number of rows with a counter; their ids begin at 1. */
  int rows() {
    return rows;
  }

  /** Adds one to the counter of a row. */
  String change() {
    return "UPDATE %1$s SET %2$s = %2$s + 1 WHERE id = ?".formatted(counters, counter);
  }

  /** Enters the change under an id of its own. */
  String entry() {
    return "INSERT INTO %s (id, %s) VALUES (?, ?)".formatted(entries, entryColumn);
  }

  /** The sum of all counters. */
  String counted() {
    return "SELECT COALESCE(SUM(%s), 0) FROM %s".formatted(counter, counters);
  }

  /** The number of all entries. */
  String entered() {
    return "SELECT COUNT(*) FROM " + entries;
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
