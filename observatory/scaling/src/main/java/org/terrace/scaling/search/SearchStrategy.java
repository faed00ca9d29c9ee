package org.terrace.scaling.search;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A way to choose trials. Implementations are immutable. */
@FunctionalInterface
public interface SearchStrategy {
  /** The trial to do next, given those that were done in any order; none when it has enough. */
  Optional<SearchStep> next(List<SearchTrial> soFar);

  /** The trial with the highest profit so far. */
  static Optional<SearchTrial> best(List<SearchTrial> soFar) {
    return soFar.stream().max(Comparator.comparingDouble(SearchTrial::profitPerHour));
  }
}
