package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;

/**
 * Keeps the places of a list's elements short: where many insertions into one gap have made them
 * long, the elements around get new ones, far from each other.
 *
 * <p>The first member of the view does it, in steps, each once all replicas that are known are
 * there and have said that they have applied the step before, and once everything that they had
 * then is applied here. It offers places; when all have those, it puts them into force, so that
 * nobody gets an element that was inserted by a place that he does not know; when all know that,
 * whatever was inserted by the old places is here, and it is given the place for good that it
 * already has everywhere. Then the next renumbering may begin. Elements keep their order
 * throughout, and their puts, so that removals and new values made at the same time hit them. While
 * a replica is away nothing is renumbered.
 *
 * <p>The steps of a renumbering are updates that are applied as one. Source: the renaming of
 * Nicolas, Oster, Perrin, "Efficient Renaming in Sequence CRDTs", 2022, for a part of the list at a
 * time and with agreement, so that nothing of it is kept. Confined to the holder of the replica's
 * lock.
 */
final class Renumbering {
  /** Levels beyond which a place is long. */
  static final int LEVELS_LONG = 8;

  /** Levels of the new places at most. */
  private static final int LEVELS_NEW_MAX = 2;

  private static final int REACH_FIRST = 8;

  /** The most bytes of a renumbering: it travels in one message. */
  private static final int BYTES_MAX = 4 << 20;

  private static final int BYTES_A_LEVEL = 20;

  private final LocalWrites writes;
  private final Predicate<Predicate<VersionVector>> isStable;
  private final ListOrder order;
  private final Store<Position, ?> elements;
  private final Store<Position, ListPlace> places;

  /** Elements that are removed, and what was applied here when that was seen. */
  private final Set<Position> removed = new HashSet<>();

  private VersionVector removedBefore = new VersionVector();

  private Renumbering(
      LocalWrites writes,
      Predicate<Predicate<VersionVector>> isStable,
      ListOrder order,
      Store<Position, ?> elements,
      Store<Position, ListPlace> places) {
    this.writes = writes;
    this.isStable = isStable;
    this.order = order;
    this.elements = elements;
    this.places = places;
  }

  /** Keeps the list of that order short from now on; to be called within a step. */
  static void employ(
      Replica replica,
      ListOrder order,
      Store<Position, ?> elements,
      Store<Position, ListPlace> places) {
    Renumbering renumbering =
        new Renumbering(
            replica.writes(), replica.antiEntropy()::isStableHere, order, elements, places);
    elements.observe((key, before, after, cause) -> renumbering.removed.remove(key));
    replica.hooks().everyRound(elements, renumbering::tick);
  }

  private void tick() {
    boolean isLong = order.levelsMost() > LEVELS_LONG;
    if ((!isLong && places.slots.isEmpty()) || !isKnownToAll(order.renumberingDot())) {
      return;
    }
    ListPlace last = order.last();
    if (last != null && last.isOffered()) {
      writes.asOne(() -> put(Position.NONE, last.inForce()));
    } else if (last != null && order.hasStrays()) {
      settleStrays(last);
    } else {
      dropOrphans();
      if (isLong) {
        renumber();
      }
    }
  }

  private boolean isKnownToAll(@Nullable Dot last) {
    return isStable.test(
        applied -> last == null || applied.contains(last.writer(), last.sequence()));
  }

  /**
   * Takes away the places of elements that are removed, once all know of the removals: before that,
   * one that somebody sets at the same time comes back, and to its place.
   */
  private void dropOrphans() {
    if (removed.isEmpty() && order.takeOrphans()) {
      for (Position key : places.slots.keySet()) {
        if (!key.isNone()
            && elements.get(key) == null
            && writes.applied().contains(key.writer(), key.sequence())) {
          removed.add(key);
        }
      }
      removedBefore = VersionVector.copyOf(writes.applied());
    } else if (!removed.isEmpty() && isStable.test(applied -> applied.covers(removedBefore))) {
      for (Position key : removed) {
        List<Dot> dots = Updates.dotsOf(places.get(key));
        writes.remove(places, key, dots, WriteLevel.LOCAL, ChangeCause.LOCAL);
      }
      removed.clear();
    }
  }

  /** Gives places for good, to as many elements as fit one message. */
  private void settleStrays(ListPlace last) {
    List<Position> strays = new ArrayList<>();
    List<Position> now = new ArrayList<>();
    long levels = 0;
    for (Position key : order.keys()) {
      if (order.isStray(key) && levels * BYTES_A_LEVEL < BYTES_MAX / 2) {
        strays.add(key);
        now.add(order.place(key));
        levels += key.levels() + now.getLast().levels() + 1;
      }
    }
    writes.checkRoom(1 + strays.size(), WriteLevel.LOCAL);
    writes.asOne(() -> {
      put(Position.NONE, last); // so that the next step waits until all have these
      for (int i = 0; i < strays.size(); i++) {
        put(strays.get(i), ListPlace.of(last.epoch(), now.get(i), Position.NONE));
      }
      return true;
    });
  }

  private void renumber() {
    List<Position> keys = List.copyOf(order.keys());
    List<Position> now = keys.stream().map(order::place).toList();
    int deepest = 0;
    for (int i = 0; i < now.size(); i++) {
      deepest = now.get(i).levels() > now.get(deepest).levels() ? i : deepest;
    }
    order.forgetLevels();
    if (now.isEmpty() || now.get(deepest).levels() <= LEVELS_LONG) {
      return;
    }
    for (int reach = REACH_FIRST; ; reach *= 2) {
      int from = Math.max(0, deepest - reach);
      int to = Math.min(keys.size(), deepest + reach + 1);
      if (bytesOf(keys.subList(from, to), now.subList(from, to)) > BYTES_MAX
          || spread(keys, now, from, to)
          || to - from == keys.size()) {
        return;
      }
    }
  }

  private static long bytesOf(List<Position> keys, List<Position> now) {
    long levels = 0;
    for (int i = 0; i < keys.size(); i++) {
      levels += keys.get(i).levels() + now.get(i).levels() + LEVELS_NEW_MAX + 1;
    }
    return levels * BYTES_A_LEVEL;
  }

  /** Gives new places to some elements, if there is room around them; says whether there was. */
  private boolean spread(List<Position> keys, List<Position> now, int from, int to) {
    long sequence = writes.nextSequence();
    Position left =
        from == 0 ? now.getFirst().wellBefore(writes.writer(), sequence) : now.get(from - 1);
    Position right = to == keys.size() ? null : now.get(to);
    List<Position> spread =
        left == null
            ? null
            : Position.spread(
                left, right, to - from, LEVELS_NEW_MAX, writes.writer(), sequence + 1);
    if (spread == null) {
      return false;
    }
    long epoch = order.epoch() + 1;
    ListPlace all =
        new ListPlace(
            epoch, Objects.requireNonNull(left), right == null ? Position.NONE : right, true);
    writes.checkRoom(1 + spread.size(), WriteLevel.LOCAL);
    return writes.asOne(() -> {
      put(Position.NONE, all);
      for (int i = 0; i < spread.size(); i++) {
        put(keys.get(from + i), ListPlace.of(epoch, spread.get(i), now.get(from + i)));
      }
      return true;
    });
  }

  private PendingWrite put(Position key, ListPlace place) {
    List<Dot> before = Updates.dotsOf(places.get(key));
    return writes.put(places, key, place, Version.NEVER, before, WriteLevel.LOCAL);
  }
}
