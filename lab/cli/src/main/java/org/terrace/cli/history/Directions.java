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

  /** The work that a service is there for; there are rates of errors and of memory too. */
  private static final Set<String> WORK =
      Set.of(
          "calls",
          "commands",
          "commits",
          "messages",
          "operations",
          "ops",
          "pages",
          "puts",
          "queries",
          "reads",
          "requests",
          "spans",
          "statements",
          "transactions",
          "updates",
          "writes");

  private static final String A_SECOND = "/s";

  private Directions() {}

  /**
   * Times and sizes are better when less, rates of work when more; nothing is known of other units,
   * such as {@code errors/s} or {@code MB/s}.
   */
  static Optional<Better> ofUnit(String unit) {
    if (TIMES.contains(unit) || SIZES.contains(unit)) {
      return Optional.of(Better.LESS);
    }
    String work = unit.endsWith(A_SECOND) ? unit.substring(0, unit.length() - 2) : "";
    return WORK.contains(work) ? Optional.of(Better.MORE) : Optional.empty();
  }
}
