package org.terrace.collections;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.causality.Dot;
import org.terrace.collections.state.Store;
import org.terrace.collections.state.Version;
import org.terrace.collections.structures.Position;

/**
 * The order of a list's elements: by their places, which are the positions with which they came
 * unless a renumbering gave them others.
 *
 * <p>An element that was inserted by a replica that did not know of the last renumbering, where
 * that one gave new places, has its place by that of the renumbered element before it, followed by
 * its own position. So the order is a function of what is in the two collections, the same
 * everywhere.
 *
 * <p>Without a renumbering it costs nothing beside the elements. Confined to the holder of the
 * replica's lock.
 */
final class ListOrder {
  private final NavigableMap<Position, Version> slots;
  private final Store<Position, ListPlace> places;
  private final Map<Position, ListPlace> given = new HashMap<>();
  private final TreeMap<Position, Position> placesByFormer = new TreeMap<>();
  private final TreeMap<Position, Position> keysByPlace = new TreeMap<>();
  private @Nullable ListPlace renumbering;
  private boolean isCurrent = true;
  private boolean hasStrays;
  private boolean hasOrphans;
  private int levelsMost;

  /** The order of the elements at those keys, whose store it observes. */
  ListOrder(
      Store<Position, ?> elements,
      NavigableMap<Position, Version> slots,
      Store<Position, ListPlace> places) {
    this.slots = slots;
    this.places = places;
    slots.keySet().forEach(this::added);
    isCurrent = places.slots.isEmpty();
    hasOrphans = !isCurrent;
    elements.observe((key, before, after, cause) -> changed(key, before, after));
    places.observe((key, before, after, cause) -> {
      isCurrent = false;
      hasOrphans = true;
    });
  }

  private void changed(Position key, @Nullable Version before, @Nullable Version after) {
    if (before == null) {
      added(key);
    } else if (after == null) {
      removed(key);
    }
  }

  private void added(Position key) {
    Position place = isCurrent ? place(key) : key;
    levelsMost = Math.max(levelsMost, place.levels());
    if (isCurrent && isRenumbered()) {
      keysByPlace.put(place, key);
      hasStrays |= isStray(key);
    }
  }

  private void removed(Position key) {
    hasOrphans |= !places.slots.isEmpty();
    if (isCurrent && isRenumbered()) {
      keysByPlace.remove(place(key));
    }
  }

  private boolean isRenumbered() {
    return !places.slots.isEmpty();
  }

  /** The number of the last renumbering, 0 if there was none. */
  long epoch() {
    ListPlace last = last();
    return last == null ? 0 : last.epoch();
  }

  /** The place of the element that came with that position. */
  Position place(Position key) {
    ListPlace last = last();
    ListPlace own = given.get(key);
    Position place = own == null ? key : own.place();
    if (last == null || !isStray(key, own, last)) {
      return place;
    }
    Map.Entry<Position, Position> before = placesByFormer.floorEntry(place);
    return (before == null ? last.place() : before.getValue()).followedBy(place);
  }

  /** Whether the element was inserted where the last renumbering was, without knowing of it. */
  boolean isStray(Position key) {
    ListPlace last = last();
    return last != null && isStray(key, given.get(key), last);
  }

  private static boolean isStray(Position key, @Nullable ListPlace own, ListPlace last) {
    long epoch = own == null ? key.epoch() : own.epoch();
    return epoch < last.epoch() && last.spans(own == null ? key : own.place());
  }

  /** The keys of the elements, in the order of the list. */
  Collection<Position> keys() {
    return isRenumbered() ? keysByPlace().values() : slots.keySet();
  }

  /** The place of the first element, or null. */
  @Nullable Position first() {
    NavigableMap<Position, ?> byPlace = byPlace();
    return byPlace.isEmpty() ? null : byPlace.firstKey();
  }

  /** The place of the last element, or null. */
  @Nullable Position lastPlace() {
    NavigableMap<Position, ?> byPlace = byPlace();
    return byPlace.isEmpty() ? null : byPlace.lastKey();
  }

  /** The place of the next element after that place, or null. */
  @Nullable Position after(Position place) {
    return byPlace().higherKey(place);
  }

  private NavigableMap<Position, ?> byPlace() {
    return isRenumbered() ? keysByPlace() : slots;
  }

  private NavigableMap<Position, Position> keysByPlace() {
    bringUpToDate();
    return keysByPlace;
  }

  private @Nullable ListPlace last() {
    bringUpToDate();
    return renumbering;
  }

  /** The most levels of a place since {@link #forgetLevels}. */
  int levelsMost() {
    return levelsMost;
  }

  /** Has only the places that come from now on counted. */
  void forgetLevels() {
    levelsMost = 0;
  }

  /** Whether an element may be in the list that did not know of the last renumbering. */
  boolean hasStrays() {
    bringUpToDate();
    return hasStrays;
  }

  /** Whether a place may be given to an element that is not there, since this was asked last. */
  boolean takeOrphans() {
    boolean had = hasOrphans;
    hasOrphans = false;
    return had;
  }

  /** The update that made the last renumbering, or null. */
  @Nullable Dot renumberingDot() {
    Version made = places.slots.get(Position.NONE);
    return made == null ? null : new Dot(made.writer, made.sequence);
  }

  private void bringUpToDate() {
    if (isCurrent) {
      return;
    }
    isCurrent = true;
    given.clear();
    placesByFormer.clear();
    keysByPlace.clear();
    hasStrays = false;
    Version made = places.slots.get(Position.NONE);
    renumbering = made == null ? null : latest(made);
    places.slots.forEach((key, version) -> {
      ListPlace place = latest(version);
      if (!key.isNone()) {
        given.put(key, place);
        if (renumbering != null && place.epoch() == renumbering.epoch() && !place.from().isNone()) {
          placesByFormer.put(place.from(), place.place());
        }
      }
    });
    for (Position key : slots.keySet()) {
      Position place = place(key);
      keysByPlace.put(place, key);
      hasStrays |= isStray(key);
      levelsMost = Math.max(levelsMost, place.levels());
    }
  }

  /** Of places put concurrently that of the latest renumbering, the last one put among equals. */
  private ListPlace latest(Version first) {
    ListPlace latest = first.value(places.values);
    for (Version next = first.next; next != null; next = next.next) {
      ListPlace other = next.value(places.values);
      latest = other.epoch() > latest.epoch() ? other : latest;
    }
    return latest;
  }
}
