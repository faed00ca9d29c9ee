package org.terrace.scaling.search;

import java.util.List;
import java.util.Optional;
import org.terrace.scaling.Configuration;

/**
 * Finds the most users under which a configuration keeps its agreement, by halving the loads
 * between one that keeps it and one that does not. It takes more users never to help, which the
 * trials themselves show: {@link #most} is the greatest load below every one that failed.
 *
 * @param configuration the configuration
 * @param loads the loads, in users, rising; at least one
 * @param successShare the share of requests within their threshold that the agreement asks for
 */
public record BisectionSearch(Configuration configuration, List<Integer> loads, double successShare)
    implements SearchStrategy {
  /** Copies the loads and checks them. */
  public BisectionSearch {
    loads = List.copyOf(loads);
    for (int i = 0; i < loads.size(); i++) {
      if (loads.get(i) < 1 || (i > 0 && loads.get(i) <= loads.get(i - 1))) {
        throw new IllegalArgumentException("the loads are " + loads + ", expected rising ones");
      }
    }
    if (loads.isEmpty() || !(successShare > 0 && successShare <= 1)) {
      throw new IllegalArgumentException("expected a load, and a share above 0 and up to 1");
    }
  }

  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    int index = next(kept(soFar), broken(soFar));
    return index < 0
        ? Optional.empty()
        : Optional.of(
            new SearchStep(configuration, loads.get(index), "between kept and broken loads"));
  }

  /** The most loads that may still be tried, whatever comes of them. */
  int mostLeft(List<SearchTrial> soFar) {
    return mostLeft(kept(soFar), broken(soFar));
  }

  private int mostLeft(int kept, int broken) {
    int index = next(kept, broken);
    return index < 0 ? 0 : 1 + Math.max(mostLeft(index, broken), mostLeft(kept, index));
  }

  /** The number of the load to try next: the ends first; -1 if none lies between. */
  private int next(int kept, int broken) {
    if (broken - kept <= 1) {
      return -1;
    }
    if (broken < loads.size()) {
      return (kept + broken) / 2;
    }
    return switch (kept) {
      case -1 -> 0;
      case 0 -> loads.size() - 1;
      default -> (kept + broken) / 2;
    };
  }

  /** The most users that keep the agreement; none if not even the least load does. */
  public Optional<Integer> most(List<SearchTrial> soFar) {
    int kept = kept(soFar);
    return kept < 0 ? Optional.empty() : Optional.of(loads.get(kept));
  }

  /** The number of the least load that broke the agreement; one more than there are if none did. */
  private int broken(List<SearchTrial> soFar) {
    return soFar.stream()
        .filter(trial -> mine(trial) && trial.successShare() < successShare)
        .mapToInt(trial -> loads.indexOf(trial.users()))
        .min()
        .orElse(loads.size());
  }

  /** The number of the greatest load that kept the agreement below all that broke it; else -1. */
  private int kept(List<SearchTrial> soFar) {
    int broken = broken(soFar);
    return soFar.stream()
        .filter(trial -> mine(trial) && trial.successShare() >= successShare)
        .mapToInt(trial -> loads.indexOf(trial.users()))
        .filter(index -> index < broken)
        .max()
        .orElse(-1);
  }

  private boolean mine(SearchTrial trial) {
    return trial.configuration().equals(configuration) && loads.contains(trial.users());
  }
}
