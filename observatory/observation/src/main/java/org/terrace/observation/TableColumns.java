package org.terrace.observation;

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
abstract class TableColumns<R> {
  private final String table;
  private final List<Column<R>> columns = new ArrayList<>();

  TableColumns(String table) {
    this.table = table;
  }

  /**
   * The row at which a file's cursor stands.
   *
   * @throws IOException if it is none, with where and why
   */
  abstract R row(ParquetRow row) throws IOException;

  /** The name of the table. */
  final String table() {
    return table;
  }

  /** The columns, in the order of the file. */
  final List<Column<R>> columns() {
    return Collections.unmodifiableList(columns);
  }

  final Column.Text<R> text(String name, Function<R, String> value) {
    return add(new Column.Text<>(name, columns.size(), true, false, value));
  }

  final Column.Text<R> optionalText(String name, Function<R, String> value) {
    return add(new Column.Text<>(name, columns.size(), false, false, value));
  }

  /** A column that a file may lack and a row may leave empty. */
  final Column.Text<R> nullableText(String name, Function<R, @Nullable String> value) {
    return add(new Column.Text<>(name, columns.size(), false, true, value));
  }

  /** A column that a file may lack and a row may leave empty, by {@link Column#ABSENT}. */
  final Column.Whole<R> nullableWhole(String name, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), false, true, Long.SIZE, value));
  }

  /** A column that a file may lack and a row may leave empty, by NaN. */
  final Column.Decimal<R> nullableDecimal(String name, ToDoubleFunction<R> value) {
    return add(new Column.Decimal<>(name, columns.size(), false, true, value));
  }

  final Column.Whole<R> whole(String name, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), true, false, Long.SIZE, value));
  }

  final Column.Whole<R> optionalWhole(String name, int bits, ToLongFunction<R> value) {
    return add(new Column.Whole<>(name, columns.size(), false, false, bits, value));
  }

  final Column.Decimal<R> decimal(String name, ToDoubleFunction<R> value) {
    return add(new Column.Decimal<>(name, columns.size(), true, false, value));
  }

  final Column.Texts<R> texts(String name, Function<R, List<String>> value) {
    return add(new Column.Texts<>(name, columns.size(), true, value));
  }

  final Column.Pairs<R> pairs(String name, Function<R, Map<String, String>> value) {
    return add(new Column.Pairs<>(name, columns.size(), true, value));
  }

  private <C extends Column<R>> C add(C column) {
    columns.add(column);
    return column;
  }
}
