package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A wish for a lock. Immutable. */
public record LockDemand(Lockable what, LockMode mode) {

  /**
   * The demands with the intentions that they need, each thing once, wholes before their parts.
   * Linear but for the sorting.
   */
  static List<LockDemand> withIntentions(Collection<LockDemand> demands) {
    SortedMap<Lockable, LockMode> all = new TreeMap<>();
    for (LockDemand demand : demands) {
      all.merge(demand.what, demand.mode, LockMode::join);
      if (!demand.what.key().isEmpty()) {
        all.merge(Lockable.ofTable(demand.what.table()), demand.mode.intention(), LockMode::join);
      }
      if (demand.what.isPart()) {
        all.merge(Lockable.DATABASE, demand.mode.intention(), LockMode::join);
      }
    }
    List<LockDemand> sorted = new ArrayList<>(all.size());
    all.forEach((what, mode) -> sorted.add(new LockDemand(what, mode)));
    return sorted;
  }
}
