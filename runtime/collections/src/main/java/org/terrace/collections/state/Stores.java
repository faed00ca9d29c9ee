package org.terrace.collections.state;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.structures.Bytes;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Codec;

/** The collections of one replica by number. Confined to the holder of the replica's lock. */
final class Stores {
  private static final System.Logger LOG = System.getLogger(Stores.class.getName());

  private final Map<Long, Store<?, ?>> stores = new TreeMap<>();

  /** The entries with keys that the collection of that number cannot read. */
  private final Map<Long, Store<Bytes, Bytes>> unreadable = new TreeMap<>();

  int size() {
    return stores.size();
  }

  Collection<Store<?, ?>> all() {
    if (unreadable.isEmpty()) {
      return stores.values();
    }
    List<Store<?, ?>> all = new ArrayList<>(stores.values());
    all.addAll(unreadable.values());
    return all;
  }

  /** All that is kept of the collection of that number. */
  List<Store<?, ?>> all(long number) {
    List<Store<?, ?>> all = new ArrayList<>();
    Store<?, ?> store = stores.get(number);
    if (store != null) {
      all.add(store);
    }
    Store<?, ?> beside = unreadable.get(number);
    if (beside != null) {
      all.add(beside);
    }
    return all;
  }

  /** The collection of that number; what arrives before it is opened is kept as bytes. */
  Store<?, ?> at(long number) {
    return stores.computeIfAbsent(number, absent -> unnamed(number));
  }

  /** The store of that key, among the entries of the collection of that number. */
  Store<?, ?> at(long number, byte[] key) {
    Store<?, ?> store = at(number);
    return store.keyIfReadable(key) == null ? unreadable(store) : store;
  }

  private static Store<Bytes, Bytes> unnamed(long number) {
    return new Store<>("", number, Bytes.CODEC, Bytes.CODEC, new ConcurrentHashMap<>());
  }

  /** The store of the collection's entries whose keys it cannot read. */
  Store<Bytes, Bytes> unreadable(Store<?, ?> store) {
    return unreadable.computeIfAbsent(
        store.number,
        number -> {
          LOG.log(
              Level.WARNING,
              "The collection '"
                  + store.name
                  + "' has keys that this version cannot read: it keeps and passes them on, and shows"
                  + " none of them");
          return unnamed(number);
        });
  }

  <K, V> Store<K, V> open(
      String name, Codec<K> keys, Codec<V> values, ConcurrentMap<K, Version> slots) {
    long number = Store.numberOf(name);
    Store<?, ?> present = stores.get(number);
    if (present != null && isOpen(present)) {
      throw new IllegalArgumentException(
          "a collection named '"
              + present.name
              + "' is open, which leaves no place for '"
              + name
              + "': choose another name");
    }
    Store<K, V> opened = new Store<>(name, number, keys, values, slots);
    if (present != null) {
      moveInto(opened, present);
    }
    stores.put(number, opened);
    return opened;
  }

  private <K, L> void moveInto(Store<K, ?> opened, Store<L, ?> present) {
    present.slots.forEach((presentKey, first) -> {
      byte[] bytes = present.keys.toBytes(presentKey);
      K key = opened.keyIfReadable(bytes);
      for (Version entry = first; entry != null; entry = entry.next) {
        if (entry.isProvisional()) {
          continue;
        }
        Version moved = entry.asBytes(present.values);
        if (key == null) {
          unreadable(opened).update(new Bytes(bytes), List.of(), moved, ChangeCause.REPAIR);
        } else {
          opened.update(key, List.of(), moved, ChangeCause.REPAIR);
        }
      }
    });
  }

  void destroy(long number) {
    Store<?, ?> present = stores.get(number);
    if (present != null && !present.name.isEmpty()) {
      present.destroy();
    }
  }

  void forgetIfEmpty(long number) {
    Store<?, ?> present = stores.get(number);
    if (present != null && present.entries() == 0 && !isOpen(present)) {
      stores.remove(number);
    }
    Store<?, ?> beside = unreadable.get(number);
    if (beside != null && beside.entries() == 0) {
      unreadable.remove(number);
    }
  }

  private static boolean isOpen(Store<?, ?> store) {
    return !store.name.isEmpty() && !store.isDestroyed();
  }
}
