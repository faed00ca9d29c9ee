package org.terrace.collections;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.WriteWaits;

/**
 * The updates of a {@link ReplicatedMap} by calls that do not wait for the other replicas.
 *
 * <p>A call makes its update here before it returns, so that all calls of one thread, of this view
 * and of the map itself, take effect in their order. Its stage completes with what the map's method
 * returns once as many replicas hold the update as the level asks, and otherwise with the
 * exceptions of that method: {@link
 * org.terrace.collections.replication.UnacknowledgedWriteException} if it took too long, {@link
 * org.terrace.collections.replication.WriteRefusedException} also if {@value #UNDER_WAY_MAX} calls
 * of this replica are under way. To cancel a stage ends the waiting and not the update.
 *
 * <p>Stages complete one after the other, on a thread that they share: what they lead to must not
 * block, or use the methods that end in {@code Async}. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class AsyncMap<K, V> {
  /** The most calls of one replica that may be under way. */
  public static final int UNDER_WAY_MAX = WriteWaits.UNDER_WAY_MAX;

  private final ReplicatedMap<K, V> map;
  private final Updates<K, V> updates;

  AsyncMap(ReplicatedMap<K, V> map) {
    this.map = map;
    this.updates = map.updates();
  }

  private <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
    return updates.submit(call);
  }

  /** {@link ReplicatedMap#put}: the value before, or null. */
  public CompletionStage<@Nullable V> put(K key, V value) {
    return submit(() -> map.put(key, value));
  }

  /** {@link ReplicatedMap#putIfAbsent}: the value that is there, or null if this one is now. */
  public CompletionStage<@Nullable V> putIfAbsent(K key, V value) {
    return submit(() -> map.putIfAbsent(key, value));
  }

  /** {@link ReplicatedMap#replace(Object, Object)}: the value before, or null for none. */
  public CompletionStage<@Nullable V> replace(K key, V value) {
    return submit(() -> map.replace(key, value));
  }

  /** {@link ReplicatedMap#replace(Object, Object, Object)}: whether the old value was there. */
  public CompletionStage<Boolean> replace(K key, V oldValue, V newValue) {
    return submit(() -> map.replace(key, oldValue, newValue));
  }

  /** {@link ReplicatedMap#remove(Object)}: the value before, or null. */
  public CompletionStage<@Nullable V> remove(K key) {
    return submit(() -> map.remove(key));
  }

  /** {@link ReplicatedMap#remove(Object, Object)}: whether that value was there. */
  public CompletionStage<Boolean> remove(K key, V value) {
    return submit(() -> map.remove(key, value));
  }
}
