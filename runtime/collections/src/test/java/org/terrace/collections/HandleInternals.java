package org.terrace.collections;

import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.structures.Ticket;

/** The parts of handles that users do not see, for histories of other packages. */
public final class HandleInternals {
  private HandleInternals() {}

  /** An element that was taken, or the knowledge that there is none. */
  public record Taken<E>(@Nullable E element) {
    private static <E> @Nullable Taken<E> of(QueueTurns.@Nullable Taken<E> taken) {
      return taken == null ? null : new Taken<>(taken.element());
    }
  }

  /** The replica behind collections. */
  public static Replica replicaOf(ReplicatedCollections collections) {
    return collections.replica();
  }

  /** A handle of the same map that takes no note of uses. */
  public static <K, V> ReplicatedMap<K, V> withoutUses(
      Replica replica, ReplicatedMap<K, V> map, MapOptions<K, V> options) {
    return new ReplicatedMap<>(
        new Updates<>(replica, replica.writes(), map.updates().store(), options, null));
  }

  /** Takes the first element as a poll would; null where another member must be asked. */
  public static <E> @Nullable Taken<E> takeNow(
      ReplicatedCollections collections, ReplicatedQueue<E> queue) {
    return Taken.of(collections.replica().within(queue::takeNow));
  }

  /** Asks for a turn to take the first element. */
  public static <E> Ticket ask(ReplicatedCollections collections, ReplicatedQueue<E> queue) {
    return collections.replica().within(queue.turns()::ask);
  }

  /** The outcome of a turn; null while that is not known. */
  public static <E> @Nullable Taken<E> result(
      ReplicatedCollections collections, ReplicatedQueue<E> queue, Ticket turn) {
    return Taken.of(collections.replica().within(() -> queue.turns().result(turn)));
  }
}
