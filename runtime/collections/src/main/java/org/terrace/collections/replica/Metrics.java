package org.terrace.collections.replica;

import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.GossipCounters;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.groups.Group;

/** The making of {@link CollectionsMetrics} from what the parts of a replica count. Stateless. */
final class Metrics {
  private Metrics() {}

  /** To be called within a step. */
  static CollectionsMetrics of(
      ReplicaState state,
      AntiEntropy antiEntropy,
      Counters counters,
      Acknowledgements acknowledgements,
      HybridClock clock,
      Group group) {
    GossipCounters.Counts gossip = antiEntropy.counts();
    long gaps = 0;
    for (long writer : state.applied().writers()) {
      gaps += state.applied().known(writer).hasGaps() ? 1 : 0;
    }
    return new CollectionsMetrics(
        state.entries(),
        state.applied().writers().size(),
        state.applied().roster().size(),
        antiEntropy.replicasAway(),
        antiEntropy.retirements(),
        gaps,
        state.supersededAhead().size(),
        state.log().size(),
        state.log().bytes(),
        acknowledgements.waiting(),
        counters.deltasApplied,
        counters.deltasRepaired,
        counters.deltasResent + gossip.resent(),
        gossip.rounds(),
        counters.gossipMessages,
        counters.gossipMessagesARoundMax,
        gossip.postponed(),
        counters.reconciliations,
        gossip.silentDivergences(),
        counters.malformedMessages,
        counters.incompatibleMessages,
        clock.skewedStamps(),
        state.changesDropped(),
        group.exclusion().isPresent());
  }
}
