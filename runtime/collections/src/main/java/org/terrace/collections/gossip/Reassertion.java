package org.terrace.collections.gossip;

import java.util.List;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Decoder;

/**
 * Updates that a replica makes of its own accord, where what another lacks can not be had by
 * passing on old ones. Confined to the holder of the replica's lock.
 */
final class Reassertion {
  private final long writer;
  private final ReplicaState state;
  private final List<GossipEffect> effects;

  Reassertion(long writer, ReplicaState state, List<GossipEffect> effects) {
    this.writer = writer;
    this.state = state;
    this.effects = effects;
  }

  /**
   * Supersedes once more what was superseded here by an update that the others may never ask for,
   * since they have retired its writer. To be called before their state is joined: what took the
   * entry's place here, and would go now, takes it again.
   *
   * @param theirs what the others have applied
   */
  void supersedeAgain(StateEntry entry, VersionVector theirs) {
    if (!isRetired()) {
      supersedeAgainIn(state.store(entry.store(), entry.key()), entry, theirs);
    }
  }

  private <K, V> void supersedeAgainIn(Store<K, V> store, StateEntry entry, VersionVector theirs) {
    K key = store.keys.decode(new Decoder(entry.key()));
    for (Version here = store.get(key); here != null; here = here.next) {
      if (!here.isProvisional() && !store.isDestroyed() && theirs.roster().isRetired(here.writer)) {
        List<Dot> both = List.of(entry.dot(), new Dot(here.writer, here.sequence));
        byte[] value = here.bytes(store.values);
        effects.add(
            new GossipEffect.Put(entry.store(), entry.key(), value, here.expiresMillis, both));
        return;
      }
    }
    effects.add(new GossipEffect.Remove(entry.store(), entry.key(), List.of(entry.dot())));
  }

  private boolean isRetired() {
    return state.applied().roster().isRetired(writer);
  }
}
