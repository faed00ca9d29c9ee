package org.terrace.scaling.search;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.scaling.Configuration;

/** A way to choose trials. Implementations are immutable. */
@FunctionalInterface
public interface SearchStrategy {
  /** The trial to do next, given those that were done in any order; none when it has enough. */
  Optional<SearchStep> next(List<SearchTrial> soFar);

  /** The configuration that earned most so far, by the mean of its trials; empty before any. */
  static Optional<Configuration> best(List<SearchTrial> soFar) {
    return MeanProfit.of(soFar).entrySet().stream()
        .max(Comparator.comparingDouble(entry -> entry.getValue().perHour()))
        .map(Map.Entry::getKey);
  }
}
