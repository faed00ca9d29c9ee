package org.terrace.observation.table;

import java.io.IOException;

/** One row of a file that somebody wrote: its values by column, each to be taken once. */
public interface TableRow {
  /** The place of the row in its file, as the beginning of a sentence about it. */
  String where();

  /** The string of a column, or another when there is none. */
  String text(Column.Text<?> column, String otherwise) throws IOException;

  /** The whole number of a column, or another when there is none. */
  long whole(Column.Whole<?> column, long otherwise) throws IOException;

  /** The number of a column, or another when there is none. */
  double decimal(Column.Decimal<?> column, double otherwise) throws IOException;
}
