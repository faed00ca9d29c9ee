package org.terrace.collections;

import java.util.List;
import org.terrace.collections.replication.ChangeCause;

/** A live entry and where it is. */
record LiveEntry<K>(Store<K, ?> store, K key, Version version) {
  Dot dot() {
    return new Dot(version.writer, version.sequence);
  }

  boolean remove(ChangeCause cause) {
    return store.update(key, List.of(dot()), null, cause);
  }

  StateEntry toStateEntry() {
    return new StateEntry(
        store.number,
        store.keys.toBytes(key),
        dot(),
        version.stamp,
        version.expiresMillis,
        version.bytes(store.values));
  }
}
