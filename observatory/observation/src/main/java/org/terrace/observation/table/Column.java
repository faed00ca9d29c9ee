package org.terrace.observation.table;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table of rows {@code R}: its name in every file, its place among the others,
 * whether every file must have it, the kind of its values, and where a row keeps its own.
 */
public sealed interface Column<R> {
  /** The whole number that stands for none in a column that may be empty. */
  long ABSENT = Long.MIN_VALUE;

  /** The name of the column. */
  String name();

  /** The place of the column among the columns of its table, from 0. */
  int index();

  /** Whether every file must have it. */
  boolean required();

  /** Whether a row may have no value. */
  default boolean nullable() {
    return false;
  }

  /**
   * The same column in another table.
   *
   * @param index its place there
   * @param part the part of a row there that is a row of this table
   */
  default <T> Column<T> of(int index, Function<T, R> part) {
    return switch (this) {
      case Text<R>(String name, int _, boolean required, boolean nullable, var value) ->
          new Text<>(name, index, required, nullable, row -> value.apply(part.apply(row)));
      case Whole<R>(String name, int _, boolean required, boolean nullable, int bits, var value) ->
          new Whole<>(
              name, index, required, nullable, bits, row -> value.applyAsLong(part.apply(row)));
      case Decimal<R>(String name, int _, boolean required, boolean nullable, var value) ->
          new Decimal<>(
              name, index, required, nullable, row -> value.applyAsDouble(part.apply(row)));
      case Texts<R>(String name, int _, boolean required, var value) ->
          new Texts<>(name, index, required, row -> value.apply(part.apply(row)));
      case Pairs<R>(String name, int _, boolean required, var value) ->
          new Pairs<>(name, index, required, row -> value.apply(part.apply(row)));
    };
  }

  /** A column of strings; null is none where the column is nullable. */
  record Text<R>(
      String name,
      int index,
      boolean required,
      boolean nullable,
      Function<R, ? extends @Nullable String> value)
      implements Column<R> {}

  /**
   * A column of whole numbers; {@link #ABSENT} is none where the column is nullable.
   *
   * @param bits 32 or 64, of a value in a file that is written; read is either
   */
  record Whole<R>(
      String name, int index, boolean required, boolean nullable, int bits, ToLongFunction<R> value)
      implements Column<R> {}

  /** A column of floating-point numbers; NaN is none where the column is nullable. */
  record Decimal<R>(
      String name, int index, boolean required, boolean nullable, ToDoubleFunction<R> value)
      implements Column<R> {}

  /** A column of lists of strings. */
  record Texts<R>(String name, int index, boolean required, Function<R, List<String>> value)
      implements Column<R> {}

  /** A column of maps from string to string. */
  record Pairs<R>(String name, int index, boolean required, Function<R, Map<String, String>> value)
      implements Column<R> {}
}
