package org.terrace.cluster.sql;

import java.util.Set;

/**
 * The functions of the users of a server whose results depend on more than their arguments.
 * Immutable.
 *
 * @param names all of them, in lower case: a call may be meant for one though the system has
 *     another of that name
 * @param ofRows those of them that take a whole row, which PostgreSQL calls where a name stands
 *     behind the row's and a dot
 * @param ofSets those, also of the system, that make several rows of one
 */
public record OwnFunctions(Set<String> names, Set<String> ofRows, Set<String> ofSets) {
  /** No functions. */
  public static final OwnFunctions NONE = new OwnFunctions(Set.of(), Set.of(), Set.of());

  /** Copies the sets. */
  public OwnFunctions {
    names = Set.copyOf(names);
    ofRows = Set.copyOf(ofRows);
    ofSets = Set.copyOf(ofSets);
  }
}
