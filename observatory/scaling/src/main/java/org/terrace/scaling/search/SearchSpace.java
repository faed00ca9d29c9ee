package org.terrace.scaling.search;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.Prices;

/**
 * The configurations to choose among, all under one load. Immutable.
 *
 * @param configurations the configurations, at least one, in the order of the specification
 * @param users the load
 * @param offeredPerSecond the requests that so many users send while no answer keeps them waiting:
 *     users over think time
 * @param mostIncomePerHour what all of these requests earn if each succeeds
 * @param prices what servers cost
 * @param exhausted the configurations that cannot be tried once more, whether or not a trial of
 *     them succeeded
 * @param failed the configurations of which every trial so far has failed
 */
public record SearchSpace(
    List<Configuration> configurations,
    int users,
    double offeredPerSecond,
    double mostIncomePerHour,
    Prices prices,
    Set<Configuration> exhausted,
    Set<Configuration> failed) {
  /** Copies the collections and checks the figures. */
  public SearchSpace {
    configurations = List.copyOf(configurations);
    exhausted = Set.copyOf(exhausted);
    failed = Set.copyOf(failed);
    if (configurations.isEmpty() || users < 1) {
      throw new IllegalArgumentException("a search has a configuration and a user");
    }
    if (!(offeredPerSecond > 0) || !(mostIncomePerHour >= 0)) {
      throw new IllegalArgumentException("a search knows the requests that are sent");
    }
  }

  /** The configurations that no trial of this load has tried, and that can be. */
  List<Configuration> untried(List<SearchTrial> soFar) {
    Set<Configuration> tried =
        trials(soFar).stream().map(SearchTrial::configuration).collect(Collectors.toSet());
    return configurations.stream()
        .filter(each -> !tried.contains(each) && canBeTried(each))
        .toList();
  }

  boolean canBeTried(Configuration configuration) {
    return !exhausted.contains(configuration);
  }

  /** The trials of this load. */
  List<SearchTrial> trials(List<SearchTrial> soFar) {
    return soFar.stream().filter(trial -> trial.users() == users).toList();
  }

  Optional<SearchStep> step(Configuration configuration, String reason) {
    return Optional.of(new SearchStep(configuration, users, reason));
  }
}
