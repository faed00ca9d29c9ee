package org.terrace.collections;

import java.time.Duration;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codec;

/**
 * The settings of a collection: encodings, conflicts, expiry and bounds. Immutable; replicas must
 * agree on codecs and policy.
 *
 * @param keys how keys become bytes
 * @param values how values become bytes
 * @param policy what concurrent values look like to a reader
 * @param level how many replicas hold an update before its call returns
 * @param expiry how long an entry lives whose put says nothing else
 * @param entriesMax how many entries there may be before the oldest go; zero for any number
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record MapOptions<K, V>(
    Codec<K> keys,
    Codec<V> values,
    ValuePolicy<V> policy,
    WriteLevel level,
    Expiry expiry,
    long entriesMax) {
  /** Checks the ranges. */
  public MapOptions {
    if (entriesMax < 0) {
      throw new IllegalArgumentException("entriesMax is not negative, got " + entriesMax);
    }
  }

  /** The last writer wins, updates are held by all replicas, nothing expires, no bound. */
  public static <K, V> MapOptions<K, V> of(Codec<K> keys, Codec<V> values) {
    return new MapOptions<>(
        keys, values, ValuePolicy.lastWriter(), WriteLevel.ALL, Expiry.NEVER, 0);
  }

  /** The same with another policy. */
  public MapOptions<K, V> withPolicy(ValuePolicy<V> newPolicy) {
    return new MapOptions<>(keys, values, newPolicy, level, expiry, entriesMax);
  }

  /** The same with another level. */
  public MapOptions<K, V> withLevel(WriteLevel newLevel) {
    return new MapOptions<>(keys, values, policy, newLevel, expiry, entriesMax);
  }

  /** The same, whose entries live for that time after their last put; zero for ever. */
  public MapOptions<K, V> withTimeToLive(Duration timeToLive) {
    return withExpiry(Expiry.sinceUpdate(timeToLive));
  }

  /** The same with entries that live otherwise. */
  public MapOptions<K, V> withExpiry(Expiry newExpiry) {
    return new MapOptions<>(keys, values, policy, level, newExpiry, entriesMax);
  }

  /** The same with another bound. */
  public MapOptions<K, V> withEntriesMax(long newEntriesMax) {
    return new MapOptions<>(keys, values, policy, level, expiry, newEntriesMax);
  }
}
