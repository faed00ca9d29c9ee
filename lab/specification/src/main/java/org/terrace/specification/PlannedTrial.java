package org.terrace.specification;

import org.terrace.experiment.Experiment;
import org.terrace.experiment.Load;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.search.SearchCandidate;

/**
 * One trial of a mesh before it is run. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param repeat the number of the repeat, from 0
 * @param experiment what is run
 * @param specification the experiment as a specification of its own, which {@code terrace run}
 *     takes
 * @param content what decides the outcome, as a text in which nothing else stands: no comments, no
 *     order of keys, no name, no conditions on the result
 * @param sharesServers whether it runs on the servers of the trial before it where those are of the
 *     same configuration and repeat
 */
public record PlannedTrial(
    Configuration configuration,
    int users,
    int repeat,
    Experiment experiment,
    String specification,
    String content,
    boolean sharesServers) {

  /** A short name for messages: {@code 1/2/0/1 postgresql, 40 users, repeat 1}. */
  public String label() {
    return configuration.label() + ", " + users + " users, repeat " + (repeat + 1);
  }

  /** The same beside others of its mesh: {@code 1/2/0/1, 40 users, repeat 1}. */
  public String label(ConfigurationNames names) {
    return names.of(configuration) + ", " + users + " users, repeat " + (repeat + 1);
  }

  /**
   * The requests a second that its users send while no answer keeps them waiting; infinite where
   * they do not think.
   */
  public double offeredPerSecond() {
    return switch (experiment.load()) {
      case Load.Closed(int count, var think) -> count * 1e9 / think.mean().toNanos();
      case Load.Open(double rate) -> rate;
    };
  }

  /** The trial as a search knows it. */
  public SearchCandidate candidate() {
    return new SearchCandidate(configuration, users, repeat, offeredPerSecond());
  }
}
