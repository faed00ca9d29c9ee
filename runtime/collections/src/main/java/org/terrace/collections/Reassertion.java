package org.terrace.collections;

import java.util.List;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Decoder;

/**
 * Updates that a replica makes of its own accord, where what another lacks can not be had by
 * passing on old ones. Confined to the holder of the replica's lock.
 */
final class Reassertion {
  private final Replica replica;
  private final ReplicaState state;

  Reassertion(Replica replica, ReplicaState state) {
    this.replica = replica;
    this.state = state;
  }

  /** Puts an entry anew that another replica lost without having applied what supersedes it. */
  void reassert(StateEntry entry) {
    if (!replica.isRetired()) {
      Store<?, ?> store = state.store(entry.store());
      replica.putBytes(
          store, entry.key(), entry.value(), entry.expiresMillis(), List.of(entry.dot()));
    }
  }

  /**
   * Supersedes once more what was superseded here by an update that the others may never ask for,
   * since they have retired its writer. To be called before their state is joined: what took the
   * entry's place here, and would go now, takes it again.
   *
   * @param theirs what the others have applied
   */
  void supersedeAgain(StateEntry entry, VersionVector theirs) {
    if (!replica.isRetired()) {
      supersedeAgainIn(state.store(entry.store()), entry, theirs);
    }
  }

  private <K, V> void supersedeAgainIn(Store<K, V> store, StateEntry entry, VersionVector theirs) {
    K key = store.keys.decode(new Decoder(entry.key()));
    for (Version here = store.get(key); here != null; here = here.next) {
      if (!here.isProvisional() && theirs.roster().isRetired(here.writer)) {
        List<Dot> both = List.of(entry.dot(), new Dot(here.writer, here.sequence));
        V value = here.value(store.values);
        replica.put(store, key, value, here.expiresMillis, both, WriteLevel.LOCAL);
        return;
      }
    }
    replica.remove(store, key, List.of(entry.dot()), WriteLevel.LOCAL, ChangeCause.REPAIR);
  }
}
