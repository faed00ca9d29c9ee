package org.terrace.collections;

import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codec;

/**
 * The settings of a set, list, queue or map of counters. Immutable.
 *
 * @param elements how elements (the keys, for counters) become bytes
 * @param level how many replicas hold an update before its call returns
 * @param <E> the type of the elements
 */
public record SetOptions<E>(Codec<E> elements, WriteLevel level) {
  /** Updates are held by all replicas. */
  public static <E> SetOptions<E> of(Codec<E> elements) {
    return new SetOptions<>(elements, WriteLevel.ALL);
  }

  /** The same with another level. */
  public SetOptions<E> withLevel(WriteLevel newLevel) {
    return new SetOptions<>(elements, newLevel);
  }

  <V> MapOptions<E, V> toMapOptions(Codec<V> values) {
    return MapOptions.of(elements, values).withLevel(level);
  }
}
