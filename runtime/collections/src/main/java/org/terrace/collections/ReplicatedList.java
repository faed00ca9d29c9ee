package org.terrace.collections;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.state.Version;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;

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
 * between changes, and time proportional to the length after one. What an element takes is bounded
 * whatever was inserted and removed before: where insertions have made places long, the members
 * agree on new ones. Only while a known replica is away, and after tens of thousands of insertions
 * into one gap that gets ever narrower, is an insertion there refused ({@link
 * org.terrace.collections.replication.WriteRefusedException}). Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedList<E> extends AbstractList<E> {
  record Snapshot<E>(List<Position> positions, List<E> elements) {}

  private final Updates<Position, E> updates;
  private final ListOrder order;
  private volatile @Nullable Snapshot<E> snapshot;

  ReplicatedList(Updates<Position, E> updates, ListOrder order, Store<Position, ListPlace> places) {
    this.updates = updates;
    this.order = order;
    places.observe((position, before, after, cause) -> snapshot = null);
    updates.store().observe((position, before, after, cause) -> snapshot = null);
  }

  @Override
  public E get(int index) {
    return present().elements.get(index);
  }

  @Override
  public E getFirst() {
    return present().elements.getFirst();
  }

  @Override
  public E getLast() {
    return present().elements.getLast();
  }

  @Override
  public int size() {
    return present().elements.size();
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return present().elements.lastIndexOf(element);
  }

  /** Appends the element to the list as it is on this replica now. */
  @Override
  public boolean add(E element) {
    updates.make(() -> put(newPosition(order.lastPlace(), null), element));
    return true;
  }

  @Override
  public void add(int index, E element) {
    updates.make(() -> insertNow(index, element));
  }

  /** Inserts the elements one after the other, each right after the one before it. */
  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    ListIterator<E> end = listIterator(index);
    List.<E>copyOf(elements).forEach(end::add);
    return !elements.isEmpty();
  }

  private PendingWrite insertNow(int index, E element) {
    List<Position> positions = present().positions;
    if (index < 0 || index > positions.size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + positions.size());
    }
    return put(positionAfter(index == 0 ? null : positions.get(index - 1)), element);
  }

  /** A new position right after that of an element, or at the beginning. */
  private Position positionAfter(@Nullable Position key) {
    Position left = key == null ? null : order.place(key);
    return newPosition(left, left == null ? order.first() : order.after(left));
  }

  private Position newPosition(@Nullable Position left, @Nullable Position right) {
    if (order.isBehind()) {
      throw new WriteRefusedException(
          "this replica lacks the places of some elements of the list, for it is new or came back"
              + " from an old checkpoint: wait until it has caught up (awaitCaughtUp)");
    }
    LocalWrites writes = updates.writes();
    Position between = Position.between(left, right, writes.writer(), writes.nextSequence());
    if (between == null) {
      throw new WriteRefusedException(
          "there is no room between two elements of the list into which so many were inserted: copy"
              + " the list, or insert there once all its replicas are back");
    }
    return between.inEpoch(order.epochInForce());
  }

  /** Inserts right after an element that was the list's, or at the beginning; gives its key. */
  Position insertAfter(@Nullable Position key, E element) {
    Position[] inserted = new Position[1];
    updates.make(() -> {
      inserted[0] = positionAfter(key);
      return put(inserted[0], element);
    });
    return inserted[0];
  }

  @Override
  public E set(int index, E element) {
    Snapshot<E> before = present();
    set(before.positions.get(index), element);
    return before.elements.get(index);
  }

  PendingWrite put(Position position, E element) {
    return updates.put(position, element);
  }

  /** Sets an element, unless it has been removed: it would come back without its place. */
  void set(Position position, E element) {
    updates.make(() -> updates.entry(position) == null ? null : put(position, element));
  }

  @Override
  public E remove(int index) {
    return removeNow(size -> Objects.checkIndex(index, size));
  }

  @Override
  public E removeFirst() {
    return removeNow(size -> size == 0 ? none() : 0);
  }

  @Override
  public E removeLast() {
    return removeNow(size -> size == 0 ? none() : size - 1);
  }

  private static int none() {
    throw new NoSuchElementException("the list is empty");
  }

  /** Removes an element in one step on this replica, so that it is nobody else's. */
  private E removeNow(IntUnaryOperator indexForSize) {
    List<E> removed = new ArrayList<>();
    updates.make(() -> {
      Snapshot<E> shown = present();
      int index = indexForSize.applyAsInt(shown.elements.size());
      removed.add(shown.elements.get(index));
      return updates.remove(shown.positions.get(index));
    });
    return removed.getFirst();
  }

  @Override
  public void clear() {
    updates.removeAll(present().positions);
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

  @Override
  public Spliterator<E> spliterator() {
    return present().elements.spliterator();
  }

  /** Sets the elements that there are now to each other's values, so that those are in order. */
  @Override
  public void sort(@Nullable Comparator<? super E> sorting) {
    Snapshot<E> shown = present();
    List<E> sorted = new ArrayList<>(shown.elements);
    sorted.sort(sorting);
    for (int i = 0; i < sorted.size(); i++) {
      set(shown.positions.get(i), sorted.get(i));
    }
  }

  private Snapshot<E> present() {
    updates.store().checkExists();
    Snapshot<E> present = snapshot;
    return present == null ? updates.within(this::readNow) : present;
  }

  private Snapshot<E> readNow() {
    List<Position> positions = new ArrayList<>();
    List<E> elements = new ArrayList<>();
    for (Position key : order.keys()) {
      Version first = updates.entry(key);
      E element = first == null ? null : updates.visible(first);
      if (element != null) {
        positions.add(key);
        elements.add(element);
      }
    }
    Snapshot<E> read = new Snapshot<>(positions, elements);
    snapshot = read;
    return read;
  }
}
