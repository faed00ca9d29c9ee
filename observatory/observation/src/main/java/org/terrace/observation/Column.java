package org.terrace.observation;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A column of a table of rows {@code R}: its name in every file, its place among the others,
 * whether every file must have it, the kind of its values, and where a row keeps its own.
 */
sealed interface Column<R> {
  String name();

  int index();

  boolean required();

  /** A column of strings. */
  record Text<R>(String name, int index, boolean required, Function<R, String> value)
      implements Column<R> {}

  /**
   * A column of whole numbers.
   *
   * @param bits 32 or 64, of a value in a file that is written; read is either
   */
  record Whole<R>(String name, int index, boolean required, int bits, ToLongFunction<R> value)
      implements Column<R> {}

  /** A column of floating-point numbers. */
  record Decimal<R>(String name, int index, boolean required, ToDoubleFunction<R> value)
      implements Column<R> {}

  /** A column of lists of strings. */
  record Texts<R>(String name, int index, boolean required, Function<R, List<String>> value)
      implements Column<R> {}

  /** A column of maps from string to string. */
  record Pairs<R>(String name, int index, boolean required, Function<R, Map<String, String>> value)
      implements Column<R> {}
}
