package org.terrace.cart;

import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedCounters;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SetOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.invocation.BusinessException;

/** The cart over counters and a map that every replica holds. Thread-safe. */
final class SoftCart implements ShoppingCart {
  private static final byte[] NOTHING = {};
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int BURN_MICROS_MAX = 1_000_000;

  private final ReplicatedCounters<String> counts;
  private final ReplicatedMap<String, byte[]> objects;
  private final TimeSource time = TimeSource.system();

  SoftCart(ReplicatedCollections collections, WriteLevel level) {
    counts = collections.counters("cart.counts", new SetOptions<>(Codecs.string(), level));
    objects =
        collections.map(
            "cart.objects", MapOptions.of(Codecs.string(), Codecs.bytes()).withLevel(level));
  }

  @Override
  public int add(String item, int count) {
    checkPositive(count);
    counts.add(item, count);
    return check(item);
  }

  @Override
  public int remove(String item, int count) {
    checkPositive(count);
    if (check(item) < count) {
      throw tooFew(item, check(item), count);
    }
    counts.add(item, -count);
    return check(item);
  }

  @Override
  public int update(String item, int count) {
    int before = check(item);
    counts.add(item, (long) count - before);
    return before;
  }

  @Override
  public int put(String item, byte[] object) {
    objects.put(item, object);
    counts.add(item, 1);
    return check(item);
  }

  @Override
  public int check(String item) {
    return (int) counts.get(item);
  }

  @Override
  public CartItem get(String item) {
    byte[] object = objects.get(item);
    return new CartItem(check(item), object == null ? NOTHING : object);
  }

  @Override
  public int burn(int micros) {
    return burn(time, micros);
  }

  static int burn(TimeSource time, int micros) {
    long endNanos = time.elapsedNanos() + Math.clamp(micros, 0, BURN_MICROS_MAX) * NANOS_PER_MICRO;
    int rounds = 0;
    do {
      rounds++;
    } while (time.elapsedNanos() < endNanos);
    return rounds;
  }

  static BusinessException tooFew(String item, int there, int wanted) {
    return new BusinessException(
        "too-few", "There are " + there + " of " + item + ", not " + wanted + ".");
  }

  static void checkPositive(int count) {
    if (count < 1) {
      throw new BusinessException("count-not-positive", "Expected 1 or more, got " + count + ".");
    }
  }
}
