package org.terrace.collections.histories;

import java.util.OptionalInt;
import org.terrace.collections.PlantedFaults;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;
import org.terrace.groups.simulated.SimulatedGroup;

/** The faults that can be planted into plain histories, which the oracle of those must find. */
public enum PlainFault {
  PREMATURE_ACKNOWLEDGEMENT("an update acknowledged before others have it") {
    @Override
    SimulatedCluster run(long seed) {
      SimulatedCluster cluster = SimulatedHistories.cluster(seed, WatchedState::new);
      cluster.forgeAcknowledgements();
      return SimulatedHistories.unleash(seed, cluster);
    }
  },
  DROPPED_DELTA("an update that a replica drops") {
    @Override
    SimulatedCluster run(long seed) {
      return SimulatedHistories.run(seed, PlantedFaults.DroppedDelta::new);
    }
  },
  DISCARDED_SIDE("one of two updates at once that is discarded") {
    @Override
    SimulatedCluster run(long seed) {
      return SimulatedHistories.run(seed, PlantedFaults.DiscardedSide::new);
    }
  },
  FORGOTTEN_EARLY_ARRIVAL("an update that came early and is forgotten") {
    @Override
    SimulatedCluster run(long seed) {
      return SimulatedHistories.run(seed, PlantedFaults.ForgottenAhead::new);
    }
  },
  REUSED_IDENTITY("an incarnation with the identity of the one before") {
    @Override
    SimulatedCluster run(long seed) {
      SimulatedCluster cluster = SimulatedHistories.cluster(seed, WatchedState::new);
      cluster.restoresCheckpoints = false;
      cluster.simulation.nodes().forEach(SimulatedGroup::plantReusedIdentity);
      return SimulatedHistories.unleash(seed, cluster);
    }
  };

  private final String fault;

  PlainFault(String fault) {
    this.fault = fault;
  }

  /** The fault in words. */
  String fault() {
    return fault;
  }

  /** The history of that seed with the fault in it. */
  abstract SimulatedCluster run(long seed);

  /**
   * The number of histories, from that seed on, until something is found; none if that is more than
   * allowed.
   */
  OptionalInt historiesToFind(long firstSeed, int historiesMax) {
    for (int i = 0; i < historiesMax; i++) {
      if (!run(firstSeed + i).violations().isEmpty()) {
        return OptionalInt.of(i + 1);
      }
    }
    return OptionalInt.empty();
  }
}
