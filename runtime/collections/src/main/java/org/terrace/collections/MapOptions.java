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
 * @param timeToLive how long an entry lives after its put; zero for ever
 * @param entriesMax how many entries there may be before the oldest go; zero for any number
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record MapOptions<K, V>(
    Codec<K> keys,
    Codec<V> values,
    ValuePolicy<V> policy,
    WriteLevel level,
    Duration timeToLive,
    long entriesMax) {
  /** Checks the ranges. */
  public MapOptions {
    if (timeToLive.isNegative() || entriesMax < 0) {
      throw new IllegalArgumentException("timeToLive and entriesMax are not negative");
    }
  }

  /** The last writer wins, updates are held by all replicas, nothing expires, no bound. */
  public static <K, V> MapOptions<K, V> of(Codec<K> keys, Codec<V> values) {
    return new MapOptions<>(
        keys, values, ValuePolicy.lastWriter(), WriteLevel.ALL, Duration.ZERO, 0);
  }

  /** The same with another policy. */
  public MapOptions<K, V> withPolicy(ValuePolicy<V> newPolicy) {
    return new MapOptions<>(keys, values, newPolicy, level, timeToLive, entriesMax);
  }

  /** The same with another level. */
  public MapOptions<K, V> withLevel(WriteLevel newLevel) {
    return new MapOptions<>(keys, values, policy, newLevel, timeToLive, entriesMax);
  }

  /** The same with another time to live. */
  public MapOptions<K, V> withTimeToLive(Duration newTimeToLive) {
    return new MapOptions<>(keys, values, policy, level, newTimeToLive, entriesMax);
  }

  /** The same with another bound. */
  public MapOptions<K, V> withEntriesMax(long newEntriesMax) {
    return new MapOptions<>(keys, values, policy, level, timeToLive, newEntriesMax);
  }
}
