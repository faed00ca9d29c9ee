package org.terrace.cli.history;

import java.util.Optional;
import java.util.Set;
import org.terrace.details.comparison.Metric.Better;

/** The direction in which a figure gets better, by its unit. Stateless. */
final class Directions {
  private static final Set<String> TIMES =
      Set.of("ns", "us", "µs", "ms", "s", "min", "h", "seconds", "milliseconds");

  private static final Set<String> SIZES =
      Set.of("B", "bytes", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB");

  private Directions() {}

  /** Times and sizes are better when less, rates when more; nothing is known of other units. */
  static Optional<Better> ofUnit(String unit) {
    if (TIMES.contains(unit) || SIZES.contains(unit)) {
      return Optional.of(Better.LESS);
    }
    return unit.endsWith("/s") ? Optional.of(Better.MORE) : Optional.empty();
  }
}
