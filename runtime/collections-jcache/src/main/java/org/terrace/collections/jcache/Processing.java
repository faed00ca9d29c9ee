package org.terrace.collections.jcache;

import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import org.jspecify.annotations.Nullable;

/**
 * The work of entry processors: on what this member has, alone among its callers, and again if the
 * entry of another member came in between. Thread-safe.
 */
final class Processing<K, V> {
  private final Entries<K, V> entries;
  private final External<K, V> external;
  private final Statistics statistics;

  Processing(Entries<K, V> entries, External<K, V> external, Statistics statistics) {
    this.entries = entries;
    this.external = external;
    this.statistics = statistics;
  }

  /** The result of a processor that could do its work on what was there. */
  private record Done<T>(@Nullable T result) {}

  <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    return entries.locked(
        key,
        () -> {
          Done<T> done = null;
          while (done == null) {
            done = attempt(key, processor, arguments);
          }
          return done.result();
        });
  }

  private <T> @Nullable Done<T> attempt(
      K key, EntryProcessor<K, V, T> processor, Object[] arguments) {
    long start = statistics.start();
    V before = entries.peek(key);
    // An object of its own, which the processor may change in place.
    V shown = before == null ? null : entries.peek(key);
    ProcessedEntry<K, V> entry = new ProcessedEntry<>(key, shown, external);
    T result;
    try {
      result = processor.process(entry, arguments);
    } catch (EntryProcessorException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException("the processor failed: " + e, e);
    }
    if (!perform(entry, before, start)) {
      return null;
    }
    statistics.read(before != null, start);
    return new Done<>(result);
  }

  /** Makes its effect; says whether what was there still was. */
  private boolean perform(ProcessedEntry<K, V> entry, @Nullable V before, long start) {
    K key = entry.getKey();
    V value = entry.value();
    switch (entry.effect()) {
      case NONE -> {}
      case ACCESSED -> {
        if (before != null) {
          entries.accessed(key, before);
        }
      }
      case LOADED -> {
        return value == null || entries.replace(key, before, value);
      }
      case SET -> {
        return value == null || set(key, before, value, start);
      }
      case REMOVED -> {
        return removed(key, before, start);
      }
    }
    return true;
  }

  private boolean set(K key, @Nullable V before, V value, long start) {
    if (!entries.replace(key, before, value, () -> external.write(key, value))) {
      return false;
    }
    statistics.put(start);
    return true;
  }

  private boolean removed(K key, @Nullable V before, long start) {
    if (before == null) {
      external.delete(key);
      return true;
    }
    if (!entries.removeExactly(key, before, () -> external.delete(key))) {
      return false;
    }
    statistics.removed(start);
    return true;
  }
}
