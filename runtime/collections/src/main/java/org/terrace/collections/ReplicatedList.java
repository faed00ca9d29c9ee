package org.terrace.collections;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.state.Version;

/**
 * A list of which every replica of the group holds a full copy, in the same order everywhere.
 *
 * <p>An element keeps its place between its neighbours whatever is inserted or removed elsewhere at
 * the same time; runs inserted by different replicas at one place are not interleaved. An element
 * set by one replica and removed by another at the same time stays. Access by index takes constant
 * time between changes, and time proportional to the length after one. Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedList<E> extends AbstractList<E> {
  private record Snapshot<E>(List<Position> positions, List<E> elements) {}

  private final Updates<Position, E> updates;
  private volatile @Nullable Snapshot<E> snapshot;

  ReplicatedList(Updates<Position, E> updates) {
    this.updates = updates;
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
    Position right = index == positions.size() ? null : positions.get(index);
    LocalWrites writes = updates.writes();
    Position position = Position.between(left, right, writes.writer(), writes.nextSequence());
    return updates.put(position, element);
  }

  @Override
  public E set(int index, E element) {
    Snapshot<E> before = present();
    updates.await(updates.put(before.positions.get(index), element));
    return before.elements.get(index);
  }

  @Override
  public E remove(int index) {
    Snapshot<E> before = present();
    updates.await(updates.remove(before.positions.get(index)));
    return before.elements.get(index);
  }

  private Snapshot<E> present() {
    Snapshot<E> present = snapshot;
    return present == null ? updates.within(this::readNow) : present;
  }

  private Snapshot<E> readNow() {
    List<Position> positions = new ArrayList<>();
    List<E> elements = new ArrayList<>();
    for (Map.Entry<Position, Version> slot : updates.store().slots.entrySet()) {
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
