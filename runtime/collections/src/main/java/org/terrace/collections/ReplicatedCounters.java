package org.terrace.collections;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * Counters by key of which every replica of the group holds a full copy: additions on different
 * replicas at the same time all count, as an ordinary map's {@code put(k, get(k) + 1)} does not.
 *
 * <p>Each incarnation of a replica counts in a place of its own, which it alone writes; a counter's
 * value is the sum over all places. So a counter takes room for each incarnation that has added to
 * it, and for each request that two replicas decided and of which one's addition was countered.
 * Thread-safe.
 *
 * @param <K> the type of the keys
 */
public final class ReplicatedCounters<K> {
  /** The place where one incarnation of a replica counts for a key. */
  record Place<K>(K key, long writer) {}

  private final Updates<Place<K>, Long> updates;
  private final ConcurrentMap<K, Long> totals = new ConcurrentHashMap<>();

  /** To be called within a step. */
  ReplicatedCounters(Updates<Place<K>, Long> updates) {
    this.updates = updates;
    Store<Place<K>, Long> store = updates.store();
    store.slots.forEach((place, first) -> changed(place, null, first));
    store.observe((place, before, after, cause) -> changed(place, before, after));
  }

  static <K> Codec<Place<K>> codec(Codec<K> keys) {
    return new Codec<>() {
      @Override
      public void encode(Place<K> place, Encoder out) {
        out.putFixedLong(place.writer());
        keys.encode(place.key(), out);
      }

      @Override
      public Place<K> decode(Decoder in) {
        long writer = in.getFixedLong();
        return new Place<>(keys.decode(in), writer);
      }

      @Override
      public boolean isImmutable() {
        return keys.isImmutable();
      }
    };
  }

  /** The bytes of a place without its writer. */
  static byte[] keyOf(byte[] place) {
    return Arrays.copyOfRange(place, Long.BYTES, place.length);
  }

  private void changed(Place<K> place, @Nullable Version before, @Nullable Version after) {
    long change = count(after) - count(before);
    totals.compute(place.key(), (key, old) -> sum(old, change) == 0 ? null : sum(old, change));
  }

  private static long sum(@Nullable Long old, long change) {
    return (old == null ? 0 : old) + change;
  }

  private long count(@Nullable Version version) {
    Long count = version == null ? null : updates.visible(version);
    return count == null ? 0 : count;
  }

  /** The counter's value; 0 if nothing was ever added. */
  public long get(K key) {
    updates.store().checkExists();
    return totals.getOrDefault(key, 0L);
  }

  /** Adds to the counter, and waits as the level asks; the amount may be negative. */
  public void add(K key, long amount) {
    RequestEffects undecided = RequestEffects.current(updates.writes());
    if (undecided != null) {
      updates.within(() -> {
        undecided.add(updates, key, amount);
        return null;
      });
      return;
    }
    Place<K> own = new Place<>(key, updates.writes().writer());
    updates.change(own, present -> new Decision.Put<>((present == null ? 0 : present) + amount));
  }

  /** All counters that are not 0. */
  public Map<K, Long> toMap() {
    updates.store().checkExists();
    return Map.copyOf(totals);
  }

  @Override
  public String toString() {
    return totals.toString();
  }
}
