package org.terrace.groups.service;

import java.util.List;
import java.util.Optional;

/**
 * Decides for one service whether it needs another replica or has one too many, from the loads of
 * its replicas, a round at a time.
 *
 * <p>It does not swing: the load must be beyond a limit for some rounds in a row, after a change
 * comes a pause, and a replica is only given up if the others would stay below the upper limit with
 * its load on top. Pure: no clock, no randomness. Confined.
 */
final class Scaling {
  /** A decision to start or stop a replica. */
  sealed interface Decision {
    /** Start another replica. */
    record Start() implements Decision {}

    /** Stop that replica, the least loaded one. */
    record Stop(String replica) implements Decision {}
  }

  private final ScalingOptions options;
  private int roundsHigh;
  private int roundsLow;
  private int pause;

  Scaling(ScalingOptions options) {
    this.options = options;
  }

  /**
   * One round.
   *
   * @param replicas those that offer the service, the least loaded first
   * @param unseen how many more are known to run: they start, or were lost sight of for a moment
   */
  Optional<Decision> round(List<Offer> replicas, int unseen) {
    if (pause > 0) {
      pause--;
      return Optional.empty();
    }
    if (replicas.size() < options.replicasMin()) {
      return changed(new Decision.Start());
    }
    double sum = replicas.stream().mapToDouble(Offer::load).sum();
    double mean = sum / replicas.size();
    boolean spare = replicas.size() > 1 && sum / (replicas.size() - 1) < options.loadHigh();
    roundsHigh = mean > options.loadHigh() ? roundsHigh + 1 : 0;
    roundsLow = mean < options.loadLow() && spare ? roundsLow + 1 : 0;
    boolean room = replicas.size() + unseen < options.replicasMax();
    if (roundsHigh >= options.rounds() && room) {
      return changed(new Decision.Start());
    }
    if (roundsLow >= options.rounds() && replicas.size() > options.replicasMin()) {
      return changed(new Decision.Stop(replicas.getFirst().replica()));
    }
    return Optional.empty();
  }

  private Optional<Decision> changed(Decision decision) {
    roundsHigh = 0;
    roundsLow = 0;
    pause = options.pauseRounds();
    return Optional.of(decision);
  }
}
