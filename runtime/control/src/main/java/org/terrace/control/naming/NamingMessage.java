package org.terrace.control.naming;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message between naming processes, managers and clients. Immutable. */
sealed interface NamingMessage {
  /** Asks a naming process for its promise to take part in no earlier round. */
  record Prepare(long id, String name, Ballot ballot) implements NamingMessage {}

  /** The promise, and the last value this process has accepted, if any. */
  record Promised(long id, Ballot accepted, @Nullable Registration value)
      implements NamingMessage {}

  /** Asks to accept a value. */
  record Accept(long id, String name, Ballot ballot, Registration value) implements NamingMessage {}

  /** The value is accepted and on the disk. */
  record Accepted(long id) implements NamingMessage {}

  /** A later round has begun: the one asked about is over. */
  record Refused(long id, Ballot promised) implements NamingMessage {}

  /** This value has been chosen by a majority. */
  record Learn(Registration value) implements NamingMessage {}

  /** Asks for what is known to be chosen under a name. */
  record Resolve(long id, String name) implements NamingMessage {}

  /** The answer. */
  record Resolved(long id, @Nullable Registration value) implements NamingMessage {}

  /**
   * Asks for everything known to be chosen, a page at a time.
   *
   * @param from the name that the page begins with, if there is such a one; empty for the first
   */
  record ListAll(long id, String from) implements NamingMessage {}

  /**
   * A page of the answer, by names.
   *
   * @param next the name that the next page begins with; empty after the last
   */
  record Listed(long id, List<Registration> values, String next) implements NamingMessage {
    /** Copies the values. */
    public Listed {
      values = List.copyOf(values);
    }
  }

  /**
   * Asks how a naming process stands; the asker has no vote yet.
   *
   * @param id of this question: the asker uses none twice
   * @param incarnation the asker's
   * @param floor the counter below which whoever votes is to take part in no round any more, and
   *     tell what it keeps; 0 to ask only
   * @param from the name that the page of what it keeps begins with, if there is such a one; empty
   *     for the first
   */
  record Stand(long id, long incarnation, long floor, String from) implements NamingMessage {}

  /**
   * The answer.
   *
   * @param admitted whether the process votes
   * @param incarnation its own
   * @param founders whom it remembers as those who were as new when votes began
   * @param floor the counter below which it takes part in no round
   * @param slots a page of everything it keeps, by names; nothing unless it votes and was given a
   *     floor
   * @param next the name that the next page begins with; empty after the last
   */
  record Standing(
      long id,
      boolean admitted,
      long incarnation,
      Set<Long> founders,
      long floor,
      SortedMap<String, Acceptor.Slot> slots,
      String next)
      implements NamingMessage {
    /** Copies the collections. */
    public Standing {
      founders = Set.copyOf(founders);
      slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }
  }

  /**
   * Asks a naming process that votes to take part in no round below a counter, the first of an age,
   * whatever the name.
   */
  record Enter(long id, long floor) implements NamingMessage {}

  /**
   * The answer, once that is on the disk.
   *
   * @param incarnation the answering process's: one that lost its disk since is another one
   * @param floor the counter below which it takes part in no round, at least the one asked for
   */
  record Entered(long id, long incarnation, long floor) implements NamingMessage {}

  /** Asks to be told of each newer value of a name, beginning with the present one. */
  record Watch(String name) implements NamingMessage {}
}
