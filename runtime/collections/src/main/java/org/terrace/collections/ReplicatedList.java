package org.terrace.collections;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.state.Version;

/**
 * A list of which every replica of the group holds a full copy, in the same order everywhere.
 *
 * <p>An element keeps its place between its neighbours whatever is inserted or removed elsewhere at
 * the same time; runs inserted by different replicas at one place are not interleaved, but for a
 * chance of one in millions. An element set by one replica and removed by another at the same time
 * stays.
 *
 * <p>Indices are those of the moment: what is at an index may be another element after a change
 * that came from elsewhere. Iterators and {@code removeIf}, {@code remove(Object)} and the like go
 * over the list as it was when they began, and change exactly the elements that they have shown.
 * Appending takes time proportional to the logarithm of the length; access by index constant time
 * between changes, and time proportional to the length after one. An insertion between two elements
 * into whose gap thousands were inserted before, ever closer, is refused ({@link
 * org.terrace.collections.replication.WriteRefusedException}). Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedList<E> extends AbstractList<E> {
  record Snapshot<E>(List<Position> positions, List<E> elements) {}

  private final Updates<Position, E> updates;
  private final ConcurrentSkipListMap<Position, Version> slots;
  private volatile @Nullable Snapshot<E> snapshot;

  ReplicatedList(Updates<Position, E> updates, ConcurrentSkipListMap<Position, Version> slots) {
    this.updates = updates;
    this.slots = slots;
    updates.store().observe((position, before, after, cause) -> snapshot = null);
  }

  @Override
  public E get(int index) {
    return present().elements.get(index);
  }

  @Override
  public int size() {
    return present().elements.size();
  }

  /** Appends the element to the list as it is on this replica now. */
  @Override
  public boolean add(E element) {
    updates.await(
        updates.within(() -> {
          Map.Entry<Position, Version> last = slots.lastEntry();
          return putBetween(last == null ? null : last.getKey(), null, element);
        }));
    return true;
  }

  @Override
  public void add(int index, E element) {
    updates.await(updates.within(() -> insertNow(index, element)));
  }

  private PendingWrite insertNow(int index, E element) {
    List<Position> positions = present().positions;
    if (index < 0 || index > positions.size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + positions.size());
    }
    Position left = index == 0 ? null : positions.get(index - 1);
    return putBetween(left, left == null ? first() : slots.higherKey(left), element);
  }

  private @Nullable Position first() {
    Map.Entry<Position, Version> first = slots.firstEntry();
    return first == null ? null : first.getKey();
  }

  private PendingWrite putBetween(@Nullable Position left, @Nullable Position right, E element) {
    LocalWrites writes = updates.writes();
    Position position = Position.between(left, right, writes.writer(), writes.nextSequence());
    return updates.put(position, element);
  }

  /** Inserts right after a position that was the list's, or at the beginning; gives the place. */
  Position insertAfter(@Nullable Position left, E element) {
    Position[] place = new Position[1];
    updates.await(
        updates.within(() -> {
          LocalWrites writes = updates.writes();
          Position right = left == null ? first() : slots.higherKey(left);
          place[0] = Position.between(left, right, writes.writer(), writes.nextSequence());
          return updates.put(place[0], element);
        }));
    return place[0];
  }

  @Override
  public E set(int index, E element) {
    Snapshot<E> before = present();
    set(before.positions.get(index), element);
    return before.elements.get(index);
  }

  void set(Position position, E element) {
    updates.await(updates.put(position, element));
  }

  @Override
  public E remove(int index) {
    Snapshot<E> before = present();
    remove(before.positions.get(index));
    return before.elements.get(index);
  }

  void remove(Position position) {
    updates.await(updates.remove(position));
  }

  @Override
  public Iterator<E> iterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    return new SnapshotIterator<>(this, present(), index);
  }

  private Snapshot<E> present() {
    Snapshot<E> present = snapshot;
    return present == null ? updates.within(this::readNow) : present;
  }

  private Snapshot<E> readNow() {
    List<Position> positions = new ArrayList<>();
    List<E> elements = new ArrayList<>();
    for (Map.Entry<Position, Version> slot : slots.entrySet()) {
      E element = updates.visible(slot.getValue());
      if (element != null) {
        positions.add(slot.getKey());
        elements.add(element);
      }
    }
    Snapshot<E> read = new Snapshot<>(positions, elements);
    snapshot = read;
    return read;
  }
}
