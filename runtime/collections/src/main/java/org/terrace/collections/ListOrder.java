package org.terrace.collections;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;

/**
 * The order of a list's elements: by their places, which are the positions with which they came
 * unless a renumbering gave them others.
 *
 * <p>The places of a renumbering that is offered only are not in force: all go by those before, so
 * that nobody inserts by a place that another replica has not got. They come into force by an
 * update, or by the first element that was inserted by them: whoever did that knew that all have
 * them. An element that was inserted before that, where the renumbering gave new places, has its
 * place by that of the renumbered element before it, followed by its own position from where the
 * former places of that element and of the next one part. So the order is a function of what is in
 * the two collections, the same everywhere, and places that come into force change it nowhere.
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
  private long epochOfKeys;
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
    if (key.epoch() > epochOfKeys) {
      epochOfKeys = key.epoch();
      isCurrent = false; // it may bring the last renumbering into force
    }
    Position place = isCurrent ? place(key) : key;
    levelsMost = Math.max(levelsMost, place.levels());
    if (isCurrent && isRenumbered()) {
      keysByPlace.put(place, key);
      hasStrays |= isStray(key);
    }
  }

  private void removed(Position key) {
    hasOrphans |= !places.slots.isEmpty();
    if (key.epoch() > epochSettled()) {
      isCurrent = false; // it may be what has brought the last renumbering into force
    }
    if (isCurrent && isRenumbered()) {
      keysByPlace.remove(place(key));
    }
  }

  /** Whether a place can be told without going over all elements first. */
  boolean isCurrent() {
    return isCurrent;
  }

  private boolean isRenumbered() {
    return !places.slots.isEmpty();
  }

  /** The number of the last renumbering, offered or in force; 0 if there was none. */
  long epoch() {
    ListPlace last = last();
    return last == null ? 0 : last.epoch();
  }

  /** The number of the last renumbering that an update has put into force, as far as is known. */
  private long epochSettled() {
    ListPlace last = renumbering;
    return last == null ? 0 : last.isOffered() ? last.epoch() - 1 : last.epoch();
  }

  /** The number of the last renumbering that is in force, 0 if there was none. */
  long epochInForce() {
    ListPlace last = last();
    return last == null ? 0 : isInForce(last) ? last.epoch() : last.epoch() - 1;
  }

  private boolean isInForce(ListPlace last) {
    return !last.isOffered() || epochOfKeys >= last.epoch();
  }

  /**
   * Whether there are elements that were inserted by places that this replica has not got: it is
   * back from a checkpoint of before, or new, and has not caught up.
   */
  boolean isBehind() {
    return epoch() < epochOfKeys; // in this order: the former brings the latter up to date
  }

  /** The place of the element that came with that position. */
  Position place(Position key) {
    ListPlace last = last();
    ListPlace own = given.get(key);
    if (own != null && last != null && own.epoch() == last.epoch() && !isInForce(last)) {
      return own.from();
    }
    Position place = own == null ? key : own.place();
    if (last == null || !isStray(key, own, last)) {
      return place;
    }
    Map.Entry<Position, Position> before = placesByFormer.floorEntry(place);
    Position former = before == null ? last.place() : before.getKey();
    Position next = placesByFormer.higherKey(place);
    int shared = former.levelsShared(next == null ? last.from() : next);
    return (before == null ? former : before.getValue()).followedBy(place, shared);
  }

  /** Whether the element was inserted where the last renumbering is in force, before it was. */
  boolean isStray(Position key) {
    ListPlace last = last();
    return last != null && isStray(key, given.get(key), last);
  }

  private boolean isStray(Position key, @Nullable ListPlace own, ListPlace last) {
    long epoch = own == null ? key.epoch() : own.epoch();
    return epoch < last.epoch() && isInForce(last) && last.spans(own == null ? key : own.place());
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

  /** The last renumbering, or null. */
  @Nullable ListPlace last() {
    bringUpToDate();
    return renumbering;
  }

  /** The most levels of a place since {@link #forgetLevels}. */
  int levelsMost() {
    return levelsMost;
  }

  /** Forgets the counts, so that only places that come from now on count. */
  void forgetLevels() {
    levelsMost = 0;
  }

  /**
   * Whether an element may be in the list that was inserted before the last renumbering's force.
   */
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
    epochOfKeys = 0;
    slots.keySet().forEach(key -> epochOfKeys = Math.max(epochOfKeys, key.epoch()));
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

  /**
   * Of places put concurrently that of the latest renumbering, one in force among these, the last
   * one put among equals.
   */
  private ListPlace latest(Version first) {
    ListPlace latest = first.value(places.values);
    for (Version next = first.next; next != null; next = next.next) {
      ListPlace other = next.value(places.values);
      boolean isFurther = latest.isOffered() && !other.isOffered();
      latest =
          other.epoch() > latest.epoch() || (other.epoch() == latest.epoch() && isFurther)
              ? other
              : latest;
    }
    return latest;
  }
}
