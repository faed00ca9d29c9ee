package org.terrace.collections;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.causality.Dot;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.state.Version;
import org.terrace.collections.structures.Position;

/**
 * Keeps the places of a list's elements short: where many insertions into one gap have made them
 * long, the elements around get new ones, far from each other.
 *
 * <p>The first member of the view does it, once all replicas that are known are there and have said
 * that they have applied the renumbering before, and once everything that they had then is applied
 * here. So no two renumberings are under way at the same time, and whatever was inserted without
 * knowing of the last one is here before the next: it is given the place for good that it already
 * has everywhere. Elements keep their order throughout, and their puts, so that removals and new
 * values made at the same time hit them. While a replica is away nothing is renumbered.
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

  /** What a renumbering takes at most: it travels in one message. */
  private static final int BYTES_MAX = 4 << 20;

  private static final int BYTES_A_LEVEL = 20;

  private final LocalWrites writes;
  private final Predicate<@Nullable Dot> isStable;
  private final ListOrder order;
  private final Store<Position, ?> elements;
  private final Store<Position, ListPlace> places;

  private Renumbering(
      LocalWrites writes,
      Predicate<@Nullable Dot> isStable,
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
    replica.hooks().everyRound(renumbering::tick);
  }

  private void tick() {
    boolean isLong = order.levelsMost() > LEVELS_LONG;
    if ((!isLong && places.slots.isEmpty()) || !isStable.test(order.renumberingDot())) {
      return;
    }
    try {
      if (order.takeOrphans()) {
        dropOrphans();
      }
      if (order.hasStrays()) {
        settleStrays();
      } else if (isLong) {
        renumber();
      }
    } catch (WriteRefusedException e) {
      return; // this member is shut out, or too much is waiting: another one does it, or a later
      // round
    }
  }

  /** Takes away the places of elements that are removed. */
  private void dropOrphans() {
    for (Map.Entry<Position, Version> given : List.copyOf(places.slots.entrySet())) {
      Position key = given.getKey();
      if (!key.isNone()
          && elements.get(key) == null
          && writes.applied().contains(key.writer(), key.sequence())) {
        List<Dot> dots = Updates.dotsOf(given.getValue());
        writes.remove(places, key, dots, WriteLevel.LOCAL, ChangeCause.LOCAL);
      }
    }
  }

  private void settleStrays() {
    long epoch = order.epoch();
    List<Position> strays = order.keys().stream().filter(order::isStray).toList();
    List<Position> now = strays.stream().map(order::place).toList();
    for (int i = 0; i < strays.size(); i++) {
      put(strays.get(i), new ListPlace(epoch, now.get(i), Position.NONE));
    }
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
        new ListPlace(epoch, Objects.requireNonNull(left), right == null ? Position.NONE : right);
    writes.checkRoom(1 + spread.size());
    return writes.asOne(() -> {
      put(Position.NONE, all);
      for (int i = 0; i < spread.size(); i++) {
        put(keys.get(from + i), new ListPlace(epoch, spread.get(i), now.get(from + i)));
      }
      return true;
    });
  }

  private void put(Position key, ListPlace place) {
    List<Dot> before = Updates.dotsOf(places.get(key));
    writes.put(places, key, place, Version.NEVER, before, WriteLevel.LOCAL);
  }
}
