package org.terrace.collections;

import java.util.Optional;
import org.terrace.collections.replication.ChangeCause;

/**
 * One change of a map's key, as this replica saw it. Immutable.
 *
 * @param key the key
 * @param before the value a reader saw before, if any
 * @param after the value a reader sees now, if any
 * @param cause why
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record Change<K, V>(K key, Optional<V> before, Optional<V> after, ChangeCause cause) {}
