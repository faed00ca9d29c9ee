package org.terrace.observation;

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
sealed interface Column<R> {
  /** The whole number that stands for none in a column that may be empty. */
  long ABSENT = Long.MIN_VALUE;

  String name();

  int index();

  boolean required();

  /** Whether a row may have no value. */
  default boolean nullable() {
    return false;
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
