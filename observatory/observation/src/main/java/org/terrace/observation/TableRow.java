package org.terrace.observation;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One row of a file that somebody wrote: its values by column, each to be taken once. */
interface TableRow {
  /** The place of the row in its file, as the beginning of a sentence about it. */
  String where();

  /** The string of a column, or another when there is none. */
  String text(Column.Text<?> column, String otherwise) throws IOException;

  /** The whole number of a column, or another when there is none. */
  long whole(Column.Whole<?> column, long otherwise) throws IOException;

  /** The number of a column, or another when there is none. */
  double decimal(Column.Decimal<?> column, double otherwise) throws IOException;

  /** The times by the clock of a capture point; null of a row without a point or one of them. */
  default @Nullable PointTimes pointTimes(
      Column.Text<?> point, Column.Whole<?> start, Column.Whole<?> end) throws IOException {
    String name = text(point, "");
    long startNanos = whole(start, Column.ABSENT);
    long endNanos = whole(end, Column.ABSENT);
    return name.isEmpty() || startNanos == Column.ABSENT || endNanos == Column.ABSENT
        ? null
        : new PointTimes(name, startNanos, endNanos);
  }
}
