package org.terrace.collections;

import java.lang.System.Logger.Level;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.structures.Ticket;

/**
 * A queue of which every replica of the group holds a full copy, in the order of the hybrid clock's
 * stamps, the same everywhere.
 *
 * <p>Each element is given to one taker at a time, and never lost: the first member of the view
 * gives them out ({@link QueueTurns}). While members see different views, on two sides of a cut for
 * instance, the same element may be given on each. What is added on another replica may come to
 * stand before the last. Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedQueue<E> extends AbstractQueue<E> {
  private static final System.Logger LOG = System.getLogger(ReplicatedQueue.class.getName());

  private final Updates<Ticket, E> updates;
  private final ReplicatedMap<Ticket, E> map;

  private final QueueTurns<E> turns;

  ReplicatedQueue(Updates<Ticket, E> updates, QueueTurns<E> turns) {
    this.updates = updates;
    this.turns = turns;
    this.map = new ReplicatedMap<>(updates);
  }

  @Override
  public boolean offer(E element) {
    updates.make(() -> {
      LocalWrites writes = updates.writes();
      Ticket ticket = new Ticket(writes.clock().next(), writes.writer(), writes.nextSequence());
      return updates.put(ticket, element);
    });
    return true;
  }

  @Override
  public @Nullable E peek() {
    for (E element : map.values()) {
      return element;
    }
    return null;
  }

  /**
   * Takes the first element, which is the caller's from then on; null if there is none here. If the
   * removal is not held at the queue's level in time the element is given all the same, for it is
   * gone from this replica: then it may be given a second time by another one, if this one dies
   * before the removal reaches that.
   *
   * @throws org.terrace.collections.replication.WriteRefusedException if the member that gives out
   *     the elements does not answer in time; nothing was taken
   */
  @Override
  public @Nullable E poll() {
    QueueTurns.Taken<E> taken = updates.within(this::takeNow);
    return finish(taken == null ? turns.await(updates.within(turns::ask)) : taken);
  }

  /** The element that can be taken without asking another member; null if that must be asked. */
  QueueTurns.@Nullable Taken<E> takeNow() {
    Map.Entry<Ticket, E> first = firstHere();
    if (first == null) {
      return new QueueTurns.Taken<>(null, null);
    }
    if (RequestEffects.current(updates.writes()) != null) {
      return new QueueTurns.Taken<>(first.getValue(), updates.remove(first.getKey()));
    }
    return turns.takeAsGiver();
  }

  QueueTurns<E> turns() {
    return turns;
  }

  private Map.@Nullable Entry<Ticket, E> firstHere() {
    for (Map.Entry<Ticket, E> first : map.entrySet()) {
      return first;
    }
    return null;
  }

  /** Waits as the level asks for the removal of what was taken; gives the element. */
  private @Nullable E finish(QueueTurns.Taken<E> taken) {
    try {
      updates.await(taken.write());
    } catch (UnacknowledgedWriteException e) {
      LOG.log(Level.WARNING, "A removal is not acknowledged: " + e.getMessage());
    }
    return taken.element();
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return map.values().remove(element);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return map.removeEach(entry -> filter.test(entry.getValue()));
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
  public int size() {
    return map.size();
  }

  @Override
  public Iterator<E> iterator() {
    return map.values().iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return MapViews.spliterator(this);
  }
}
