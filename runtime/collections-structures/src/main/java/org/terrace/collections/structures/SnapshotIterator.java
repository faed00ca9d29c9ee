package org.terrace.collections.structures;

import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over a list as it was at one moment, which changes the elements that it has shown,
 * wherever they are by then. Confined.
 *
 * @param <K> the type of what elements are known by
 * @param <E> the type of the elements
 */
public final class SnapshotIterator<K, E> implements ListIterator<E> {
  private static final int NONE = -1;

  /** The list as it is, whose elements are changed by what they are known by. */
  public interface Target<K, E> {
    /** Inserts right after an element that was the list's, or at the beginning; gives its key. */
    K insertAfter(@Nullable K key, E element);

    /** Sets an element, unless it has been removed. */
    void set(K key, E element);

    /** Removes an element, unless it has been removed. */
    void remove(K key);
  }

  private final Target<K, E> list;
  private final List<K> keys;
  private final List<E> elements;
  private int next;
  private int shown = NONE;

  /**
   * An iterator whose next element is that at the index.
   *
   * @throws IndexOutOfBoundsException if there are fewer elements before it
   */
  public SnapshotIterator(Target<K, E> list, List<K> keys, List<E> elements, int index) {
    if (index < 0 || index > elements.size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + elements.size());
    }
    this.list = list;
    this.keys = new ArrayList<>(keys);
    this.elements = new ArrayList<>(elements);
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
    list.remove(keys.get(checkShown()));
    keys.remove(shown);
    elements.remove(shown);
    next -= shown < next ? 1 : 0;
    shown = NONE;
  }

  @Override
  public void set(E element) {
    list.set(keys.get(checkShown()), element);
    elements.set(shown, element);
  }

  @Override
  public void add(E element) {
    @Nullable K left = next == 0 ? null : keys.get(next - 1);
    keys.add(next, list.insertAfter(left, element));
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
