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
 * @param least the least load, in users
 * @param greatest the greatest load
 * @param step the accuracy, in users: loads are the least plus a multiple of it
 * @param successShare the share of requests within their threshold that the agreement asks for
 */
public record BisectionSearch(
    Configuration configuration, int least, int greatest, int step, double successShare)
    implements SearchStrategy {
  /** Checks the range. */
  public BisectionSearch {
    if (least < 1 || greatest < least || step < 1 || !(successShare > 0 && successShare <= 1)) {
      throw new IllegalArgumentException("expected 1 <= least <= greatest, a step and a share");
    }
  }

  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    int kept = kept(soFar);
    int failed = failed(soFar);
    if (failed - kept <= 1) {
      return Optional.empty();
    }
    boolean first = kept < 0 && failed > steps();
    int index = first ? 0 : failed > steps() && kept == 0 ? steps() : (kept + failed) / 2;
    return Optional.of(
        new SearchStep(configuration, least + index * step, "between kept and failed loads"));
  }

  /** The most users that keep the agreement; none if not even the least load does. */
  public Optional<Integer> most(List<SearchTrial> soFar) {
    int kept = kept(soFar);
    return kept < 0 ? Optional.empty() : Optional.of(least + kept * step);
  }

  private int steps() {
    return (greatest - least) / step;
  }

  /** The number of the least load that failed; one more than there are while none did. */
  private int failed(List<SearchTrial> soFar) {
    return soFar.stream()
        .filter(trial -> mine(trial) && trial.successShare() < successShare)
        .mapToInt(trial -> (trial.users() - least) / step)
        .min()
        .orElse(steps() + 1);
  }

  /** The number of the greatest load that kept the agreement below all that failed; else -1. */
  private int kept(List<SearchTrial> soFar) {
    int failed = failed(soFar);
    return soFar.stream()
        .filter(trial -> mine(trial) && trial.successShare() >= successShare)
        .mapToInt(trial -> (trial.users() - least) / step)
        .filter(index -> index < failed)
        .max()
        .orElse(-1);
  }

  private boolean mine(SearchTrial trial) {
    return trial.configuration().equals(configuration)
        && trial.users() >= least
        && trial.users() <= least + steps() * step;
  }
}
