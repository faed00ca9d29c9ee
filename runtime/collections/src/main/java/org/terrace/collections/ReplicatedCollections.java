package org.terrace.collections;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.terrace.groups.Group;

/**
 * This process's replica of the group's collections.
 *
 * <p>Collections are known by name across the group; a process that has not opened one keeps its
 * copy all the same, so that what others put there survives. Thread-safe.
 */
public final class ReplicatedCollections implements AutoCloseable {
  private final Replica replica;

  private ReplicatedCollections(Replica replica) {
    this.replica = replica;
  }

  /** Opens the replica of this member; one a group. The group stays the caller's to close. */
  public static ReplicatedCollections open(Group group, CollectionsOptions options) {
    return open(group, options, new ReplicaState(options.logBytesMax()));
  }

  static ReplicatedCollections open(Group group, CollectionsOptions options, ReplicaState state) {
    Replica replica = new Replica(group, options, state);
    replica.start();
    return new ReplicatedCollections(replica);
  }

  /**
   * Opens the map of that name.
   *
   * @throws IllegalArgumentException if a collection of that name is open here already
   */
  public <K, V> ReplicatedMap<K, V> map(String name, MapOptions<K, V> options) {
    replica.enter();
    try {
      Store<K, V> store =
          replica.state().open(name, options.keys(), options.values(), new ConcurrentHashMap<>());
      return new ReplicatedMap<>(new Updates<>(replica, store, options));
    } finally {
      replica.leave();
    }
  }

  /** Sets what is called after each repair that changed something; it must not block. */
  public void onReconciliation(Consumer<Reconciliation> upcall) {
    replica.onReconciliation(upcall);
  }

  Replica replica() {
    return replica;
  }

  @Override
  public void close() {
    replica.close();
  }
}
