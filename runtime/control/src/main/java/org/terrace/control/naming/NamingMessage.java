package org.terrace.control.naming;

import java.util.List;
import java.util.Map;
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

  /** Asks for everything known to be chosen. */
  record ListAll(long id) implements NamingMessage {}

  /** The answer. */
  record Listed(long id, List<Registration> values) implements NamingMessage {
    /** Copies the values. */
    public Listed {
      values = List.copyOf(values);
    }
  }

  /**
   * Asks how a naming process stands; the asker has no vote yet.
   *
   * @param incarnation the asker's
   * @param floor the counter below which whoever votes is to take part in no round any more; 0 to
   *     ask only
   */
  record Stand(long id, long incarnation, long floor) implements NamingMessage {}

  /**
   * The answer.
   *
   * @param admitted whether the process votes
   * @param incarnation its own
   * @param founder whether it remembers the asker as new when it admitted itself
   * @param floor the counter below which it takes part in no round
   * @param slots everything it keeps; nothing unless it votes
   */
  record Standing(
      long id,
      boolean admitted,
      long incarnation,
      boolean founder,
      long floor,
      Map<String, Acceptor.Slot> slots)
      implements NamingMessage {
    /** Copies the slots. */
    public Standing {
      slots = Map.copyOf(slots);
    }
  }

  /** Asks to be told of each newer value of a name, beginning with the present one. */
  record Watch(String name) implements NamingMessage {}
}
