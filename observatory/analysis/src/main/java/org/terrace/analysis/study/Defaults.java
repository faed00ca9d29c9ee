package org.terrace.analysis.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of components that a file leaves out. */
final class Defaults {
  private Defaults() {}

  static String text(@Nullable String given) {
    return given == null ? "" : given;
  }

  static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : List.copyOf(given);
  }

  /** A finite value, or null: JSON has no infinity, and an open end of an interval is null. */
  static @Nullable Double finite(@Nullable Double given) {
    return given == null || !Double.isFinite(given) ? null : given;
  }
}
