package org.terrace.scaling.search;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.terrace.scaling.Configuration;

/**
 * Tries some configurations at random: the control that every other strategy has to beat, since
 * profit is flat around its best.
 *
 * @param space the configurations
 * @param trials how many to try, 1 or more
 * @param seed the seed of the choice
 */
public record RandomSearch(SearchSpace space, int trials, long seed) implements SearchStrategy {
  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    List<Configuration> untried = space.untried(soFar);
    int done = space.trials(soFar).size();
    if (done >= trials || untried.isEmpty()) {
      return Optional.empty();
    }
    int choice = new SplittableRandom(seed + done).nextInt(untried.size());
    return space.step(untried.get(choice), "at random");
  }
}
