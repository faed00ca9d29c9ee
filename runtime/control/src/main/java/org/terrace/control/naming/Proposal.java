package org.terrace.control.naming;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of one name, carried through by its proposer: compare the version, then replace the
 * value; or only read it.
 *
 * <p>Each round asks all naming processes for a promise; the majority's latest accepted value is
 * the present one. If it has the version this change replaces, the new value is sent to be
 * accepted, else the present one, which makes the read certain. A round that meets a later one, or
 * no majority in time, is followed by another. A pure state machine, confined to one thread.
 * Source: Rystsov, "CASPaxos", 2018, section 2.2.
 */
final class Proposal {
  /** The next step of a proposal. */
  sealed interface Step {
    /** Nothing until the next reply. */
    record Waiting() implements Step {}

    /** Send the message to every naming process. */
    record Send(NamingMessage message) implements Step {}

    /** This round failed: wait a random while, then {@link Proposal#begin()}. */
    record Retry() implements Step {}

    /** The value under the name is now this, or there is none. */
    record Finished(@Nullable Registration value) implements Step {}
  }

  private static final Step WAITING = new Step.Waiting();

  private final String name;
  private final @Nullable Registration wanted;
  private final long expectedVersion;
  private final long proposer;
  private final int acceptors;
  private final BitSet votes = new BitSet();
  private long counter;
  private boolean accepting;
  private Ballot latest = Ballot.NONE;
  private @Nullable Registration value;

  private Proposal(
      String name,
      @Nullable Registration wanted,
      long expectedVersion,
      long proposer,
      int acceptors,
      long counter) {
    this.name = name;
    this.wanted = wanted;
    this.expectedVersion = expectedVersion;
    this.proposer = proposer;
    this.acceptors = acceptors;
    this.counter = counter;
  }

  /** A change that replaces the version before that of the wanted value. */
  static Proposal change(Registration wanted, long proposer, int acceptors, long counter) {
    long expected = wanted.version() - 1;
    return new Proposal(wanted.service(), wanted, expected, proposer, acceptors, counter);
  }

  /** A read that no earlier change can still alter. */
  static Proposal read(String name, long proposer, int acceptors, long counter) {
    return new Proposal(name, null, -1, proposer, acceptors, counter);
  }

  /** The counter of the last round, from which the proposer's next proposal goes on. */
  long counter() {
    return counter;
  }

  /** Begins a new round. */
  NamingMessage begin() {
    counter++;
    votes.clear();
    accepting = false;
    latest = Ballot.NONE;
    value = null;
    return new NamingMessage.Prepare(messageId(), name, new Ballot(counter, proposer));
  }

  /** Takes the reply of one naming process, 0 to their number less one. */
  Step receive(int acceptor, NamingMessage reply) {
    return switch (reply) {
      case NamingMessage.Promised promised when !accepting && promised.id() == messageId() ->
          promised(acceptor, promised);
      case NamingMessage.Accepted accepted when accepting && accepted.id() == messageId() -> {
        votes.set(acceptor);
        yield isMajority(votes) ? new Step.Finished(value) : WAITING;
      }
      case NamingMessage.Refused refused when refused.id() == messageId() -> {
        counter = Math.max(counter, refused.promised().counter());
        yield new Step.Retry();
      }
      case NamingMessage other -> WAITING;
    };
  }

  private Step promised(int acceptor, NamingMessage.Promised promised) {
    if (promised.accepted().compareTo(latest) > 0) {
      latest = promised.accepted();
      value = promised.value();
    }
    votes.set(acceptor);
    if (!isMajority(votes)) {
      return WAITING;
    }
    if (wanted != null && mayReplace(value, wanted)) {
      value = wanted;
    }
    if (value == null) {
      return new Step.Finished(null);
    }
    votes.clear();
    accepting = true;
    Registration sent = Objects.requireNonNull(value);
    return new Step.Send(
        new NamingMessage.Accept(messageId(), name, new Ballot(counter, proposer), sent));
  }

  private boolean mayReplace(@Nullable Registration present, Registration next) {
    long version = present == null ? 0 : present.version();
    long term = present == null ? 0 : present.term();
    return version == expectedVersion && term <= next.term();
  }

  private boolean isMajority(BitSet voters) {
    return voters.cardinality() > acceptors / 2;
  }

  /** Replies to the two halves of a round, and to different rounds, are told apart. */
  private long messageId() {
    return counter * 2 + (accepting ? 1 : 0);
  }
}
