package org.terrace.control.naming;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
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
 *
 * <p>The first round of an age is preceded by its entry: a majority answers twice that it takes
 * part in no round of an earlier age, each process in the same incarnation both times. So there was
 * a moment, between the two, at which all of them had that on their disks. Whoever loses its disk
 * later hears of the age from one of them, and begins the next.
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

  /** The halves of an entry and of a round, in their order. */
  private enum Phase {
    ENTERING,
    CONFIRMING,
    PREPARING,
    ACCEPTING
  }

  private static final Step WAITING = new Step.Waiting();
  private static final int PHASES = Phase.values().length;

  private final String name;
  private final @Nullable Registration wanted;
  private final long expectedVersion;
  private final Rounds rounds;
  private final int acceptors;
  private final BitSet votes = new BitSet();
  private final Map<Integer, Long> incarnations = new HashMap<>();
  private Phase phase = Phase.ENTERING;
  private Ballot latest = Ballot.NONE;
  private @Nullable Registration value;

  private Proposal(
      String name,
      @Nullable Registration wanted,
      long expectedVersion,
      Rounds rounds,
      int acceptors) {
    this.name = name;
    this.wanted = wanted;
    this.expectedVersion = expectedVersion;
    this.rounds = rounds;
    this.acceptors = acceptors;
  }

  /**
   * A change that replaces a version.
   *
   * @param replaced the version that is replaced, 0 for none
   * @throws IllegalArgumentException if the value is too long to be kept, or no later version
   */
  static Proposal change(Registration wanted, long replaced, Rounds rounds, int acceptors) {
    String excess = NamingCodec.excess(wanted);
    if (excess != null) {
      throw new IllegalArgumentException(excess);
    }
    if (wanted.version() <= replaced) {
      throw new IllegalArgumentException(
          "version " + wanted.version() + " is not later than " + replaced);
    }
    return new Proposal(wanted.service(), wanted, replaced, rounds, acceptors);
  }

  /** A read that no earlier change can still alter. */
  static Proposal read(String name, Rounds rounds, int acceptors) {
    return new Proposal(name, null, -1, rounds, acceptors);
  }

  /** Begins a new round, or the entry of its age. */
  NamingMessage begin() {
    rounds.next();
    incarnations.clear();
    return rounds.isEntered() ? prepare() : enter(Phase.ENTERING);
  }

  private NamingMessage enter(Phase half) {
    votes.clear();
    phase = half;
    return new NamingMessage.Enter(messageId(), Ballot.ageOf(rounds.counter()));
  }

  private NamingMessage prepare() {
    votes.clear();
    phase = Phase.PREPARING;
    latest = Ballot.NONE;
    value = null;
    return new NamingMessage.Prepare(messageId(), name, rounds.ballot());
  }

  /** Takes the reply of one naming process, 0 to their number less one. */
  Step receive(int acceptor, NamingMessage reply) {
    return switch (reply) {
      case NamingMessage.Entered entered
          when phase.compareTo(Phase.CONFIRMING) <= 0 && entered.id() == messageId() ->
          entered(acceptor, entered);
      case NamingMessage.Promised promised
          when phase == Phase.PREPARING && promised.id() == messageId() ->
          promised(acceptor, promised);
      case NamingMessage.Accepted accepted
          when phase == Phase.ACCEPTING && accepted.id() == messageId() -> {
        votes.set(acceptor);
        yield isMajority(votes) ? new Step.Finished(value) : WAITING;
      }
      case NamingMessage.Refused refused when refused.id() == messageId() -> {
        rounds.goBeyond(refused.promised().counter());
        yield new Step.Retry();
      }
      case NamingMessage other -> WAITING;
    };
  }

  private Step entered(int acceptor, NamingMessage.Entered entered) {
    if (entered.floor() > Ballot.ageOf(rounds.counter())) {
      rounds.goBeyond(entered.floor());
      return new Step.Send(begin());
    }
    if (phase == Phase.ENTERING) {
      incarnations.put(acceptor, entered.incarnation());
    } else if (!Objects.equals(incarnations.get(acceptor), entered.incarnation())) {
      return WAITING; // It lost its disk between its two answers, or gave but one.
    }
    votes.set(acceptor);
    if (!isMajority(votes)) {
      return WAITING;
    }
    if (phase == Phase.ENTERING) {
      return new Step.Send(enter(Phase.CONFIRMING));
    }
    rounds.enter();
    return new Step.Send(prepare());
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
    phase = Phase.ACCEPTING;
    Registration sent = Objects.requireNonNull(value);
    return new Step.Send(new NamingMessage.Accept(messageId(), name, rounds.ballot(), sent));
  }

  private boolean mayReplace(@Nullable Registration present, Registration next) {
    long version = present == null ? 0 : present.version();
    long term = present == null ? 0 : present.term();
    return version == expectedVersion && term <= next.term();
  }

  private boolean isMajority(BitSet voters) {
    return voters.cardinality() > acceptors / 2;
  }

  /** Replies to different halves, and to different rounds, are told apart. */
  private long messageId() {
    return rounds.counter() * PHASES + phase.ordinal();
  }
}
