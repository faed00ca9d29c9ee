package org.terrace.analysis.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of a study: columns with units, and rows of texts and numbers, which may carry an
 * interval. Immutable.
 *
 * @param title what it shows; a paper's table is named as there, for example {@code Table 2}
 * @param columns the columns, at least one
 * @param rows the rows, each with one cell a column
 * @param note what a reader should know beside it; may be empty
 */
public record DataTable(String title, List<Column> columns, List<List<Cell>> rows, String note) {

  /** Copies the lists and refuses a row of another length than the heading. */
  public DataTable {
    columns = Defaults.list(columns);
    rows = Defaults.list(rows).stream().map(List::copyOf).toList();
    note = Defaults.text(note);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("table \"" + title + "\" has no columns");
    }
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).size() != columns.size()) {
        throw new IllegalArgumentException(
            "table \"%s\": row %d has %d cells, expected %d, one a column"
                .formatted(title, row, rows.get(row).size(), columns.size()));
      }
    }
  }

  /**
   * A column.
   *
   * @param name its heading
   * @param unit the unit of its numbers, for example {@code us} or {@code %}; empty for texts and
   *     for numbers without one
   */
  public record Column(String name, String unit) {
    /** A unit that was left out is empty. */
    public Column {
      unit = Defaults.text(unit);
    }

    /** A column of texts, or of numbers without a unit. */
    public static Column of(String name) {
      return new Column(name, "");
    }
  }

  /**
   * A cell: a text, or a number with or without an interval.
   *
   * @param text what is shown; null to show the number
   * @param value the number; null for a text and where nothing could be computed
   * @param low the lower end of its interval; null where there is none
   * @param high the upper end of its interval; null where there is none
   */
  public record Cell(
      @Nullable String text, @Nullable Double value, @Nullable Double low, @Nullable Double high) {

    /** Numbers that are not finite become null. */
    public Cell {
      value = Defaults.finite(value);
      low = Defaults.finite(low);
      high = Defaults.finite(high);
    }

    /** A text. */
    public static Cell of(String text) {
      return new Cell(text, null, null, null);
    }

    /** A number; one that is not finite is shown as missing. */
    public static Cell of(double value) {
      return new Cell(null, value, null, null);
    }

    /** A number with its interval; an end that is not finite is open. */
    public static Cell of(double value, double low, double high) {
      return new Cell(null, value, low, high);
    }
  }
}
