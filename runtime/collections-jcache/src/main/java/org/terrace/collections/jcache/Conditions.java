package org.terrace.collections.jcache;

import org.jspecify.annotations.Nullable;

/**
 * The changes that depend on what is at a key. The external store follows a change that is made, so
 * one that is lost leaves it as it was. Thread-safe.
 */
final class Conditions<K, V> {
  private final Entries<K, V> entries;
  private final External<K, V> external;
  private final Statistics statistics;

  Conditions(Entries<K, V> entries, External<K, V> external, Statistics statistics) {
    this.entries = entries;
    this.external = external;
    this.statistics = statistics;
  }

  boolean putIfAbsent(K key, V value) {
    long start = statistics.start();
    return entries.locked(
        key,
        () -> {
          boolean isPut = false;
          if (entries.peek(key) == null) {
            isPut = entries.replace(key, null, value, () -> external.write(key, value));
          }
          statistics.read(!isPut, start);
          if (isPut) {
            statistics.put(start);
          }
          return isPut;
        });
  }

  boolean remove(K key, V oldValue) {
    long start = statistics.start();
    return entries.locked(
        key,
        () -> {
          V present = looked(key, start);
          if (present == null || !isAsExpected(key, present, oldValue)) {
            entries.awaitRemovals();
            return false;
          }
          boolean isRemoved = entries.removeExactly(key, present, () -> external.delete(key));
          if (isRemoved) {
            statistics.removed(start);
          }
          return isRemoved;
        });
  }

  boolean replace(K key, V oldValue, V newValue) {
    long start = statistics.start();
    return entries.locked(
        key,
        () -> {
          V present = looked(key, start);
          return present != null
              && isAsExpected(key, present, oldValue)
              && replaced(key, present, newValue, start);
        });
  }

  /** Replaces whatever is there, and gives it; null if there is nothing. */
  @Nullable V replace(K key, V value) {
    long start = statistics.start();
    return entries.locked(
        key,
        () -> {
          V present = looked(key, start);
          return present != null && replaced(key, present, value, start) ? present : null;
        });
  }

  private @Nullable V looked(K key, long start) {
    V present = entries.peek(key);
    statistics.read(present != null, start);
    return present;
  }

  /** Whether it is the expected value; if not, it was looked at all the same. */
  private boolean isAsExpected(K key, V present, V expected) {
    if (present.equals(expected)) {
      return true;
    }
    entries.accessed(key, present);
    return false;
  }

  private boolean replaced(K key, V present, V value, long start) {
    boolean isReplaced = entries.replace(key, present, value, () -> external.write(key, value));
    if (isReplaced) {
      statistics.put(start);
    }
    return isReplaced;
  }
}
