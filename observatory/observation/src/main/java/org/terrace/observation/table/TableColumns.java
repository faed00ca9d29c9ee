package org.terrace.observation.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The description of a table of rows {@code R}: its columns, declared once. The schema of its file,
 * its writing, its reading, and what a file of somebody else must have all follow from it. Names
 * carry the unit, and times are plain nanoseconds since the Unix epoch, so that no reader rounds
 * them. Immutable once made.
 */
public abstract class TableColumns<R> {
  private final String table;
  private final List<Column<R>> columns = new ArrayList<>();

  /** A table without columns yet. */
  protected TableColumns(String table) {
    this.table = table;
  }

  /**
   * The row at which a file's cursor stands.
   *
   * @throws IOException if it is none, with where and why
   */
  protected abstract R row(ParquetRow row) throws IOException;

  /** The name of the table. */
  public final String table() {
    return table;
  }

  /** The columns, in the order of the file. */
  public final List<Column<R>> columns() {
    return Collections.unmodifiableList(columns);
  }

  /** A column of strings that every file has. */
  protected final Column.Text<R> text(String name, Function<R, String> value) {
    return add(new Column.Text<>(name, columns.size(), true, false, value));
  }

  /** A column of strings that a file may lack. */
  protected final Column.Text<R> optionalText(String name, Function<R, String> value) {
    return add(new Column.Text<>(name, columns.size(), false, false, value));
  }

  /** A column that a file may lack and a row may leave empty. */
  protected final Column.Text<R> nullableText(String name, Function<R, @Nullable String> value) {
    return add(new Column.Text<>(name, columns.size(), false, true, value));
  }

  /** A column that a file may lack and a row may leave empty, by {@link Column#ABSENT}. */
  protected final Column.Whole<R> nullableWhole(String name, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), false, true, Long.SIZE, value));
  }

  /** A column that a file may lack and a row may leave empty, by NaN. */
  protected final Column.Decimal<R> nullableDecimal(String name, ToDoubleFunction<R> value) {
    return add(new Column.Decimal<>(name, columns.size(), false, true, value));
  }

  /** A column of whole numbers of 64 bits that every file has. */
  protected final Column.Whole<R> whole(String name, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), true, false, Long.SIZE, value));
  }

  /** A column of whole numbers that a file may lack. */
  protected final Column.Whole<R> optionalWhole(String name, int bits, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), false, false, bits, value));
  }

  /** A column of floating-point numbers that every file has. */
  protected final Column.Decimal<R> decimal(String name, ToDoubleFunction<R> value) {
    return add(new Column.Decimal<>(name, columns.size(), true, false, value));
  }

  /** A column of lists of strings that every file has. */
  protected final Column.Texts<R> texts(String name, Function<R, List<String>> value) {
    return add(new Column.Texts<>(name, columns.size(), true, value));
  }

  /** A column of maps of strings that every file has. */
  protected final Column.Pairs<R> pairs(String name, Function<R, Map<String, String>> value) {
    return add(new Column.Pairs<>(name, columns.size(), true, value));
  }

  /**
   * The column of another table, behind those that are there.
   *
   * @param part the part of a row of this table that is a row of the other
   */
  protected final <S> Column<R> columnOf(Column<S> column, Function<R, S> part) {
    return add(column.of(columns.size(), part));
  }

  private <C extends Column<R>> C add(C column) {
    columns.add(column);
    return column;
  }
}
