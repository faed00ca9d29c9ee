package org.terrace.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.structures.Position;

/**
 * An iterator over a list as it was at one moment, which changes the elements that it has shown,
 * wherever they are by then. Confined.
 */
final class SnapshotIterator<E> implements ListIterator<E> {
  private static final int NONE = -1;

  private final ReplicatedList<E> list;
  private final List<Position> positions;
  private final List<E> elements;
  private int next;
  private int shown = NONE;

  SnapshotIterator(ReplicatedList<E> list, ReplicatedList.Snapshot<E> snapshot, int index) {
    if (index < 0 || index > snapshot.elements().size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + snapshot.elements().size());
    }
    this.list = list;
    this.positions = new ArrayList<>(snapshot.positions());
    this.elements = new ArrayList<>(snapshot.elements());
    this.next = index;
  }

  @Override
  public boolean hasNext() {
    return next < elements.size();
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    shown = next++;
    return elements.get(shown);
  }

  @Override
  public boolean hasPrevious() {
    return next > 0;
  }

  @Override
  public E previous() {
    if (!hasPrevious()) {
      throw new NoSuchElementException();
    }
    shown = --next;
    return elements.get(shown);
  }

  @Override
  public int nextIndex() {
    return next;
  }

  @Override
  public int previousIndex() {
    return next - 1;
  }

  @Override
  public void remove() {
    list.remove(positions.get(checkShown()));
    positions.remove(shown);
    elements.remove(shown);
    next -= shown < next ? 1 : 0;
    shown = NONE;
  }

  @Override
  public void set(E element) {
    list.set(positions.get(checkShown()), element);
    elements.set(shown, element);
  }

  @Override
  public void add(E element) {
    @Nullable Position left = next == 0 ? null : positions.get(next - 1);
    positions.add(next, list.insertAfter(left, element));
    elements.add(next++, element);
    shown = NONE;
  }

  private int checkShown() {
    if (shown == NONE) {
      throw new IllegalStateException("no element was shown since the last change");
    }
    return shown;
  }
}
