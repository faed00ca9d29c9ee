package org.terrace.studies.transients;

import java.util.List;

/**
 * The cost of ways of watching, in slots in which one of them at a time was on. Immutable, except
 * that the arrays inside are shared.
 *
 * @param own for each way, the processor time that the watching process used in each slot, in cores
 * @param machine for each way, the processor time that the whole machine would have used in each
 *     slot at the mean rate of pages, in cores
 * @param obstacle why a way could not be measured; empty where all could
 * @param packets packets captured
 * @param dropped packets that the capture lost
 */
record WatchingCost(
    List<double[]> own, List<double[]> machine, String obstacle, long packets, long dropped) {

  /** A way of watching. */
  enum Way {
    /** No watching. */
    NONE("nobody watches"),
    /** Packets are captured. */
    PASSIVE("packets"),
    /** Resources are read each second. */
    SECOND("each 1 s"),
    /** Resources are read ten times a second. */
    TENTH("each 100 ms"),
    /** Resources are read fifty times a second. */
    FIFTIETH("each 20 ms");

    private final String label;

    Way(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** Copies the lists. */
  WatchingCost {
    own = List.copyOf(own);
    machine = List.copyOf(machine);
  }

  /** Processor time of the watching process beyond that of slots without watching, in cores. */
  Difference ownOf(Way way) {
    return Difference.of(own.get(way.ordinal()), own.get(Way.NONE.ordinal()));
  }

  /** Processor time of the machine beyond that of slots without watching, in cores. */
  Difference machineOf(Way way) {
    return Difference.of(machine.get(way.ordinal()), machine.get(Way.NONE.ordinal()));
  }
}
