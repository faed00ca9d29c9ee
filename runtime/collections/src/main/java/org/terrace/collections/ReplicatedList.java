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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.IndexedSequence;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.SnapshotIterator;
import org.terrace.collections.structures.causality.Version;

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
 * Appending and access by index take time proportional to the logarithm of the length, whatever
 * changes in between; going over the list, {@code indexOf} and the like after a change take time
 * proportional to it. What an element takes is bounded whatever was inserted and removed before:
 * where insertions have made places long, the members agree on new ones. Only while a known replica
 * is away, and after tens of thousands of insertions into one gap that gets ever narrower, is an
 * insertion there refused ({@link org.terrace.collections.replication.WriteRefusedException}).
 * Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedList<E> extends AbstractList<E> {
  /** An element that readers see, with the key with which it came. */
  private record Shown(Position key, Version first) {}

  /** All that readers see, to go over. */
  record Snapshot<E>(IndexedSequence<?> taken, List<Position> positions, List<E> elements) {}

  private final Updates<Position, E> updates;
  private final ListOrder order;

  /** The list as readers see it; null until somebody asks, and while the order is made anew. */
  private volatile @Nullable IndexedSequence<Shown> shown;

  private volatile @Nullable Snapshot<E> snapshot;

  ReplicatedList(Updates<Position, E> updates, ListOrder order, Store<Position, ListPlace> places) {
    this.updates = updates;
    this.order = order;
    places.observe((position, before, after, cause) -> shown = null);
    updates.store().observe((key, before, after, cause) -> changed(key, before, after));
  }

  /** Follows a change of one element, where that takes less than to read all of them anew. */
  private void changed(Position key, @Nullable Version before, @Nullable Version after) {
    IndexedSequence<Shown> former = shown;
    IndexedSequence<Shown> present = null;
    try {
      if (former != null && order.isCurrent()) {
        Position place = order.place(key);
        int index = former.search(other -> order.place(other.key).compareTo(place));
        boolean wasShown = before != null && updates.isShown(before);
        boolean isKnown = index >= 0 && former.get(index).key.equals(key);
        if (wasShown == isKnown && (isKnown || index < 0)) {
          present = followed(former, index, key, after);
        }
      }
    } finally {
      shown = present;
    }
  }

  private IndexedSequence<Shown> followed(
      IndexedSequence<Shown> former, int index, Position key, @Nullable Version after) {
    if (after != null && updates.isShown(after)) {
      Shown element = new Shown(key, after);
      return index < 0 ? former.withInserted(-(index + 1), element) : former.with(index, element);
    }
    return index < 0 ? former : former.without(index);
  }

  @Override
  public E get(int index) {
    return element(shown().get(index));
  }

  @Override
  public E getFirst() {
    IndexedSequence<Shown> all = shown();
    return element(all.get(all.size() == 0 ? none() : 0));
  }

  @Override
  public E getLast() {
    IndexedSequence<Shown> all = shown();
    return element(all.get(all.size() == 0 ? none() : all.size() - 1));
  }

  @Override
  public int size() {
    return shown().size();
  }

  private E element(Shown element) {
    return Objects.requireNonNull(updates.visible(element.first));
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
    IndexedSequence<Shown> all = shown();
    if (index < 0 || index > all.size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + all.size());
    }
    return put(positionAfter(index == 0 ? null : all.get(index - 1).key), element);
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

  private Position insertAfter(@Nullable Position key, E element) {
    Position[] inserted = new Position[1];
    updates.make(() -> {
      inserted[0] = positionAfter(key);
      return put(inserted[0], element);
    });
    return inserted[0];
  }

  @Override
  public E set(int index, E element) {
    Shown before = shown().get(index);
    set(before.key, element);
    return element(before);
  }

  PendingWrite put(Position position, E element) {
    return updates.put(position, element);
  }

  /** Sets an element, unless it has been removed: it would come back without its place. */
  void set(Position position, E element) {
    set(updates, position, element);
  }

  private void set(Updates<Position, E> by, Position position, E element) {
    by.make(() -> by.entry(position) == null ? null : by.put(position, element));
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
      IndexedSequence<Shown> all = shown();
      Shown element = all.get(indexForSize.applyAsInt(all.size()));
      updates.checkReach(); // it is removed by its index, at which another one comes
      removed.add(element(element));
      return updates.remove(element.key);
    });
    return removed.getFirst();
  }

  @Override
  public boolean remove(@Nullable Object element) {
    Snapshot<E> all = present();
    int index = all.elements.indexOf(element);
    updates.removeAll(index < 0 ? List.of() : List.of(all.positions.get(index)));
    return index >= 0;
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Snapshot<E> all = present();
    List<Position> found = new ArrayList<>();
    for (int i = 0; i < all.elements.size(); i++) {
      if (filter.test(all.elements.get(i))) {
        found.add(all.positions.get(i));
      }
    }
    updates.removeAll(found);
    return !found.isEmpty();
  }

  @Override
  public boolean removeAll(Collection<?> others) {
    return removeIf(others::contains);
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    return removeIf(one -> !others.contains(one));
  }

  @Override
  public void clear() {
    updates.removeAll(present().positions);
  }

  private final class Edits implements SnapshotIterator.Target<Position, E> {
    @Override
    public Position insertAfter(@Nullable Position key, E element) {
      return ReplicatedList.this.insertAfter(key, element);
    }

    @Override
    public void set(Position key, E element) {
      ReplicatedList.this.set(key, element);
    }

    @Override
    public void remove(Position key) {
      updates.await(updates.remove(key));
    }
  }

  @Override
  public Iterator<E> iterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    Snapshot<E> shown = present();
    return new SnapshotIterator<>(new Edits(), shown.positions, shown.elements, index);
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
    if (sorted.size() < 2) {
      return;
    }
    updates.within(() -> {
      updates.checkReach(); // half sorted, a list would have one element twice and another not
      return sorted;
    });
    updates.makeAll(each -> {
      for (int i = 0; i < sorted.size(); i++) {
        set(each, shown.positions.get(i), sorted.get(i));
      }
    });
  }

  private Snapshot<E> present() {
    IndexedSequence<Shown> all = shown();
    Snapshot<E> known = snapshot;
    if (known != null && known.taken == all) {
      return known;
    }
    List<Position> positions = new ArrayList<>(all.size());
    List<E> elements = new ArrayList<>(all.size());
    all.forEach(each -> {
      positions.add(each.key);
      elements.add(element(each));
    });
    Snapshot<E> read = new Snapshot<>(all, positions, elements);
    snapshot = read;
    return read;
  }

  private IndexedSequence<Shown> shown() {
    updates.store().checkExists();
    IndexedSequence<Shown> known = shown;
    return known == null ? updates.within(this::readNow) : known;
  }

  private IndexedSequence<Shown> readNow() {
    List<Shown> all = new ArrayList<>();
    for (Position key : order.keys()) {
      Version first = updates.entry(key);
      if (first != null && updates.isShown(first)) {
        all.add(new Shown(key, first));
      }
    }
    IndexedSequence<Shown> read = IndexedSequence.of(all);
    shown = read;
    return read;
  }
}
