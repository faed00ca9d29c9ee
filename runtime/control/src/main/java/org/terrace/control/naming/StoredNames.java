package org.terrace.control.naming;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The names that a naming process keeps on its disk.
 *
 * @param admitted whether it may vote
 * @param incarnation drawn when the disk was empty: a process that lost its disk is another one
 * @param founders the incarnations of the naming processes that were as new when votes began, as
 *     far as it was told
 * @param floor the counter below which it takes part in no round
 * @param slots what it promised, accepted and knows to be chosen
 */
record StoredNames(
    boolean admitted,
    long incarnation,
    Set<Long> founders,
    long floor,
    SortedMap<String, Acceptor.Slot> slots) {

  /** Copies the collections. */
  StoredNames {
    founders = Set.copyOf(founders);
    slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
  }

  /** The state that an empty disk begins with. */
  static StoredNames fresh(long incarnation) {
    return new StoredNames(false, incarnation, Set.of(), 0, new TreeMap<>());
  }
}
