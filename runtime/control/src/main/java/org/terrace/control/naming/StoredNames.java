package org.terrace.control.naming;

import java.util.Map;
import java.util.Set;

/**
 * The names that a naming process keeps on its disk.
 *
 * @param admitted whether it may vote
 * @param incarnation drawn when the disk was empty: a process that lost its disk is another one
 * @param founders the incarnations of the other naming processes that were as new when this one
 *     admitted itself; empty if it was admitted by them
 * @param floor the counter below which it takes part in no round
 * @param slots what it promised, accepted and knows to be chosen
 */
record StoredNames(
    boolean admitted,
    long incarnation,
    Set<Long> founders,
    long floor,
    Map<String, Acceptor.Slot> slots) {

  /** Copies the collections. */
  StoredNames {
    founders = Set.copyOf(founders);
    slots = Map.copyOf(slots);
  }

  /** What an empty disk becomes. */
  static StoredNames fresh(long incarnation) {
    return new StoredNames(false, incarnation, Set.of(), 0, Map.of());
  }
}
