package org.terrace.scaling.search;

import java.util.List;
import java.util.Optional;

/** Tries every configuration, in the order of the specification. */
public record FullSearch(SearchSpace space) implements SearchStrategy {
  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    return space.untried(soFar).stream()
        .findFirst()
        .flatMap(each -> space.step(each, "the next of all"));
  }
}
