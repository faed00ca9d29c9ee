package org.terrace.collections.state;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.StateEntry;

/** A live entry and where it is. */
public record LiveEntry<K>(Store<K, ?> store, K key, Version version) {
  /** The entry of that dot at that key of the collection, if it is live. */
  static <K> @Nullable LiveEntry<K> find(Store<K, ?> store, byte[] keyBytes, Dot dot) {
    K key = store.key(keyBytes);
    Version version = store.find(key, dot);
    return version == null ? null : new LiveEntry<>(store, key, version);
  }

  /** The dot of the entry. */
  public Dot dot() {
    return new Dot(version.writer, version.sequence);
  }

  /** The hybrid clock's stamp of its put. */
  public long stamp() {
    return version.stamp;
  }

  /** Takes the entry away; says whether it was there. */
  public boolean remove(ChangeCause cause) {
    return store.update(key, List.of(dot()), null, cause);
  }

  /** The entry as it travels. */
  public StateEntry toStateEntry() {
    return new StateEntry(
        store.number,
        store.keys.toBytes(key),
        dot(),
        version.stamp,
        version.expiresMillis,
        version.bytes(store.values),
        version.digest,
        version.isWriters);
  }
}
