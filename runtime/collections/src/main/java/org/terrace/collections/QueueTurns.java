package org.terrace.collections;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replica.Steps;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.Ticket;
import org.terrace.collections.structures.Turn;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.ReplicaRoster;
import org.terrace.collections.structures.causality.Version;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The giving out of a queue's elements, each to one taker at a time while the members agree who is
 * the first of them.
 *
 * <p>The first member of the view gives, but for those that are leaving, or were forgotten while
 * they stood still. Whoever wants an element puts a turn into a collection that is hidden behind
 * the queue's; the giver answers there, with an element that no other turn has; and the taker
 * removes both in one step. So an element is in the queue until its taker has it, and what was
 * given to a taker that left the view is given to another. An answer of a member that is not the
 * first one any more counts for nothing: its taker asks again. Who has just become the first gives
 * once it has heard from all others, and has what they had. Members whose views differ may give the
 * same element twice; none is lost.
 *
 * <p>Confined to the holder of the replica's lock, but for {@link #await}.
 */
final class QueueTurns<E> {
  /** The ending of a queue's name in the name of the collection of its turns. */
  static final String STORE_SUFFIX = "\u0000turns";

  private static final long NOBODY = 0;

  /**
   * An element that is the taker's.
   *
   * @param element null if there was none
   * @param write its removal, null if there was none
   */
  record Taken<E>(@Nullable E element, @Nullable PendingWrite write) {}

  private final Steps steps;
  private final Supplier<View> view;
  private final CollectionsOptions options;
  private final AntiEntropy gossip;
  private final LocalWrites writes;
  private final Updates<Ticket, E> updates;
  private final Store<Ticket, Turn> turns;
  private final Map<Ticket, Thread> waiting = new HashMap<>();
  private long giver = NOBODY;
  private long givingSinceRound;
  private boolean isSettled;

  /** The turns of that queue; to be called within a step. */
  QueueTurns(Replica replica, Updates<Ticket, E> updates, Store<Ticket, Turn> turns) {
    this.steps = replica;
    this.view = replica::view;
    this.options = replica.options();
    this.gossip = replica.antiEntropy();
    this.writes = replica.writes();
    this.updates = updates;
    this.turns = turns;
    turns.observe((turn, before, after, cause) -> {
      Thread taker = waiting.get(turn);
      if (taker != null) {
        LockSupport.unpark(taker);
      }
    });
    replica.hooks().afterMessage(turns, this::serve);
    replica.hooks().everyRound(turns, this::tick);
  }

  /** Takes the first element without asking, if this member is the one that gives them. */
  @Nullable Taken<E> takeAsGiver() {
    return isGiving() ? take(next(given()), null) : null;
  }

  /** Asks for an element; what is returned stands for the turn. */
  Ticket ask() {
    updates.checkReach(); // what is given and then refused would be nobody's for a while
    Ticket turn = new Ticket(writes.clock().next(), writes.writer(), writes.nextSequence());
    put(turn, Turn.ASKED);
    serve();
    waiting.put(turn, Thread.currentThread()); // not if any of it is refused: nobody would take
    return turn;
  }

  /** The outcome of the turn: null as long as it was not answered. */
  @Nullable Taken<E> result(Ticket turn) {
    updates.store().checkExists();
    for (Version one = turns.get(turn); one != null; one = one.next) {
      Turn answered = one.value(turns.values);
      Ticket element = answered.element();
      if (one.writer != giverNow() || answered.answer() == Turn.Answer.ASKED) {
        continue;
      }
      if (element == null) {
        withdraw(turn);
        return new Taken<>(null, null);
      }
      Version first = updates.store().get(element);
      if (first != null && updates.isShown(first)) {
        waiting.remove(turn);
        return take(element, turn);
      }
      put(turn, Turn.ASKED); // somebody removed it otherwise
      serve();
      return null;
    }
    return null;
  }

  /** The same for as long as an update may wait. */
  Taken<E> await(Ticket turn) {
    return await(turn, options.writeTimeout().toNanos());
  }

  /** Gives up the turn, which may be over. */
  void withdraw(Ticket turn) {
    waiting.remove(turn);
    remove(turn);
  }

  /**
   * Waits, outside a step, until the turn has a result.
   *
   * @throws WriteRefusedException if that takes too long; nothing was taken
   */
  Taken<E> await(Ticket turn, long timeoutNanos) {
    long startNanos = options.time().elapsedNanos();
    boolean interrupted = false;
    try {
      while (true) {
        Taken<E> taken = steps.within(() -> result(turn));
        if (taken != null) {
          return taken;
        }
        long leftNanos = timeoutNanos - (options.time().elapsedNanos() - startNanos);
        if (leftNanos <= 0) {
          break;
        }
        LockSupport.parkNanos(this, leftNanos);
        interrupted |= Thread.interrupted();
      }
      return steps.within(() -> lastResult(turn, timeoutNanos));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      steps.within(() -> waiting.remove(turn)); // whatever it failed with, nobody will take
    }
  }

  private Taken<E> lastResult(Ticket turn, long timeoutNanos) {
    Taken<E> last = result(turn);
    if (last != null) {
      return last;
    }
    withdraw(turn);
    throw new WriteRefusedException(
        "the member that gives out the elements of '%s' did not answer in %d ms, and nothing was taken: try again; members: %s"
            .formatted(updates.store().name, timeoutNanos / 1_000_000, view.get().members()));
  }

  private Taken<E> take(@Nullable Ticket element, @Nullable Ticket turn) {
    Version first = element == null ? null : updates.store().get(element);
    if (element == null || first == null) {
      return new Taken<>(null, null);
    }
    updates.checkReach();
    E value = updates.visible(first);
    PendingWrite write =
        turn == null
            ? updates.remove(element)
            : writes.asOne(() -> {
              remove(turn);
              return updates.remove(element);
            });
    return new Taken<>(value, write);
  }

  private void tick() {
    noteGiver();
    for (Ticket turn : List.copyOf(waiting.keySet())) {
      if (!isUnderWay(turn)) {
        put(turn, Turn.ASKED);
      }
    }
    for (Ticket turn : List.copyOf(turns.slots.keySet())) {
      if (turn.writer() == writes.writer() && !waiting.containsKey(turn)) {
        remove(turn);
      }
    }
    serve();
  }

  /** Whether the turn was asked for, or answered by the giver. */
  private boolean isUnderWay(Ticket turn) {
    for (Version one = turns.get(turn); one != null; one = one.next) {
      if (one.writer == giverNow() || one.value(turns.values).answer() == Turn.Answer.ASKED) {
        return true;
      }
    }
    return false;
  }

  /** The first member; one that is leaving, and may be frozen, only if all are. */
  private long giverNow() {
    ReplicaRoster roster = writes.applied().roster();
    long leaving = NOBODY;
    for (Member member : view.get().members()) {
      if (!roster.isRetired(member.id())) {
        if (!roster.isLeaving(member.id())) {
          return member.id();
        }
        leaving = leaving == NOBODY ? member.id() : leaving;
      }
    }
    return leaving;
  }

  /** Whether this member gives out elements: it is the first, and has what the others have. */
  private boolean isGiving() {
    noteGiver();
    if (giver != writes.writer()) {
      return false;
    }
    isSettled = isSettled || gossip.isCaughtUpSince(givingSinceRound);
    return isSettled;
  }

  private void noteGiver() {
    if (giverNow() != giver) {
      giver = giverNow();
      isSettled = false;
      givingSinceRound = gossip.rounds();
    }
  }

  /** Answers the turns that were asked for, if this member gives. */
  private void serve() {
    if (turns.slots.isEmpty() || !isGiving() || writes.isRetired()) {
      return;
    }
    for (Ticket turn : List.copyOf(turns.slots.keySet())) {
      if (!view.get().contains(turn.writer())) {
        remove(turn);
      }
    }
    Set<Ticket> given = given();
    for (Map.Entry<Ticket, Version> turn : turns.slots.entrySet()) {
      if (isAsked(turn.getValue())) {
        Ticket element = next(given);
        put(turn.getKey(), element == null ? Turn.NONE : Turn.given(element));
        if (element != null) {
          given.add(element);
        }
      }
    }
  }

  private boolean isAsked(Version first) {
    boolean asked = false;
    for (Version one = first; one != null; one = one.next) {
      asked |= one.value(turns.values).answer() == Turn.Answer.ASKED;
    }
    return asked;
  }

  /** The elements that some turn was given. */
  private Set<Ticket> given() {
    Set<Ticket> given = new HashSet<>();
    for (Version first : turns.slots.values()) {
      for (Version one = first; one != null; one = one.next) {
        Ticket element = one.value(turns.values).element();
        if (element != null) {
          given.add(element);
        }
      }
    }
    return given;
  }

  /** The first element that was given to nobody, or null. */
  private @Nullable Ticket next(Set<Ticket> given) {
    for (Map.Entry<Ticket, Version> element : updates.store().slots.entrySet()) {
      Ticket ticket = element.getKey();
      if (!given.contains(ticket) && updates.isShown(element.getValue())) {
        return ticket;
      }
    }
    return null;
  }

  private void put(Ticket turn, Turn answer) {
    List<Dot> before = Updates.dotsOf(turns.get(turn));
    writes.put(turns, turn, answer, Version.NEVER, before, WriteLevel.LOCAL);
  }

  private void remove(Ticket turn) {
    List<Dot> before = Updates.dotsOf(turns.get(turn));
    if (!before.isEmpty()) {
      writes.remove(turns, turn, before, WriteLevel.LOCAL, ChangeCause.LOCAL);
    }
  }
}
