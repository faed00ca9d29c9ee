package org.terrace.collections;

import java.lang.System.Logger.Level;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replication.UnacknowledgedWriteException;

/**
 * A queue of which every replica of the group holds a full copy, in the order of the hybrid clock's
 * stamps, the same everywhere.
 *
 * <p>An element that was added is taken at least once: two replicas that poll at the same time may
 * take the same one. Where each must be taken once, one replica polls, for instance the first of
 * the view. What is added on another replica may come to stand before the last. Thread-safe.
 *
 * @param <E> the type of the elements
 */
public final class ReplicatedQueue<E> extends AbstractQueue<E> {
  private static final System.Logger LOG = System.getLogger(ReplicatedQueue.class.getName());

  private final Updates<Ticket, E> updates;
  private final ReplicatedMap<Ticket, E> map;

  ReplicatedQueue(Updates<Ticket, E> updates) {
    this.updates = updates;
    this.map = new ReplicatedMap<>(updates);
  }

  @Override
  public boolean offer(E element) {
    updates.await(
        updates.within(() -> {
          LocalWrites writes = updates.writes();
          Ticket ticket = new Ticket(writes.clock().next(), writes.writer(), writes.nextSequence());
          return updates.put(ticket, element);
        }));
    return true;
  }

  @Override
  public @Nullable E peek() {
    for (E element : map.values()) {
      return element;
    }
    return null;
  }

  private record Taken<E>(E element, PendingWrite write) {}

  /**
   * Takes the first element, which is the caller's from then on. If the removal is not held at the
   * queue's level in time the element is given all the same, for it is gone from this replica: then
   * it may be given a second time by another one, if this one dies before the removal reaches that.
   */
  @Override
  public @Nullable E poll() {
    Taken<E> taken = updates.within(this::pollNow);
    if (taken == null) {
      return null;
    }
    try {
      updates.await(taken.write);
    } catch (UnacknowledgedWriteException e) {
      LOG.log(Level.WARNING, "A removal is not acknowledged: " + e.getMessage());
    }
    return taken.element;
  }

  private @Nullable Taken<E> pollNow() {
    for (Map.Entry<Ticket, E> first : map.entrySet()) {
      return new Taken<>(first.getValue(), updates.remove(first.getKey()));
    }
    return null;
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public Iterator<E> iterator() {
    return map.values().iterator();
  }
}
