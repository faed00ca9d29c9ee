package org.terrace.collections.spring.cache;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.cache.support.SimpleValueWrapper;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.AdmittedSerialization;
import org.terrace.core.codec.MalformedDataException;

/**
 * A cache of which every server holds all values: reads are local, what one server has put the
 * others have soon after, and an eviction has reached them when it returns.
 *
 * <p>Keys and values go by their serialized bytes: two keys are the same if their bytes are, and
 * each reader gets an object of its own. A value that this version cannot read counts as absent.
 *
 * <p>{@link #putIfAbsent} and {@link #get(Object, Callable)} decide at this server: of threads here
 * one puts, or computes, a value; another server may do so at the same time, and then one of the
 * two values stays, the same everywhere. A value that is put at one server while another evicts it
 * may stay as well: a time to live bounds for how long. Thread-safe.
 */
public final class TerraceCache implements Cache {
  private static final System.Logger LOG = System.getLogger(TerraceCache.class.getName());

  /** Locks of keys whose values are computed; keys that share one compute one after another. */
  private static final int LOCKS = 64;

  private final String name;
  private final TerraceCacheOptions options;
  private final AdmittedSerialization serialization;
  private final @Nullable ClassLoader loader;
  private final ReplicatedMap<SerializedValue, SerializedValue> puts;
  private final ReplicatedMap<SerializedValue, SerializedValue> evictions;
  private final List<ReentrantLock> computing =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  TerraceCache(
      String name,
      String mapName,
      ReplicatedCollections collections,
      TerraceCacheOptions options,
      @Nullable ClassLoader loader) {
    this.name = name;
    this.options = options;
    List<String> admitted = new ArrayList<>(options.admitted());
    admitted.add(SimpleKey.class.getName()); // the key of methods with no argument, or several
    this.serialization = new AdmittedSerialization(admitted);
    this.loader = loader;
    this.puts =
        collections.map(
            mapName,
            MapOptions.of(SerializedValue.CODEC, SerializedValue.CODEC)
                .withLevel(WriteLevel.LOCAL)
                .withTimeToLive(options.timeToLive())
                .withEntriesMax(options.entriesMax()));
    this.evictions = puts.withLevel(options.evictionLevel());
  }

  @Override
  public String getName() {
    return name;
  }

  /** The replicated map, from serialized keys to serialized values. */
  @Override
  public Object getNativeCache() {
    return puts;
  }

  /** The form of a key; a key that holds what is not admitted is refused by its class's name. */
  private SerializedValue key(Object key) {
    return serialized("a key", key);
  }

  private SerializedValue value(@Nullable Object value) {
    if (value == null) {
      if (!options.keepsNull()) {
        throw new IllegalArgumentException("the cache '" + name + "' keeps no null");
      }
      return SerializedValue.NULL;
    }
    return serialized("a value", value);
  }

  private SerializedValue serialized(String what, Object object) {
    try {
      return new SerializedValue(serialization.encode(object));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          what + " of the cache '" + name + "' may not be put: " + e.getMessage(), e);
    }
  }

  /**
   * The value of these bytes as Spring is shown it; null if there are none that this version can
   * read.
   */
  private @Nullable ValueWrapper shown(@Nullable SerializedValue serialized) {
    if (serialized == null) {
      return null;
    }
    if (serialized.isNull()) {
      return new SimpleValueWrapper(null);
    }
    try {
      return new SimpleValueWrapper(serialization.decode(serialized.bytes(), loader));
    } catch (MalformedDataException e) {
      LOG.log(Level.DEBUG, "A value of the cache " + name + " counts as absent", e);
      return null;
    }
  }

  @Override
  public @Nullable ValueWrapper get(Object key) {
    return shown(puts.get(key(key)));
  }

  @Override
  public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
    ValueWrapper wrapper = get(key);
    Object value = wrapper == null ? null : wrapper.get();
    if (value != null && type != null && !type.isInstance(value)) {
      throw new IllegalStateException(
          "the cache '" + name + "' holds a " + value.getClass().getName() + ", no " + type);
    }
    @SuppressWarnings("unchecked") // checked above, unless the caller trusts it
    T typed = (T) value;
    return typed;
  }

  /**
   * The value of a key, which of the threads of this server one computes if it is absent; that must
   * not wait for another thread's computing.
   */
  @Override
  @SuppressWarnings("unchecked") // as the interface has it
  public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
    SerializedValue serialized = key(key);
    ValueWrapper present = shown(puts.get(serialized));
    if (present != null) {
      return (T) present.get();
    }
    ReentrantLock lock = computing.get(Math.floorMod(serialized.hashCode(), LOCKS));
    lock.lock();
    try {
      ValueWrapper meanwhile = shown(puts.get(serialized));
      if (meanwhile != null) {
        return (T) meanwhile.get();
      }
      T computed = compute(key, valueLoader);
      puts.put(serialized, value(computed));
      return computed;
    } finally {
      lock.unlock();
    }
  }

  private static <T> T compute(Object key, Callable<T> valueLoader) {
    try {
      return valueLoader.call();
    } catch (Exception e) {
      throw new ValueRetrievalException(key, valueLoader, e);
    }
  }

  @Override
  public CompletableFuture<?> retrieve(Object key) {
    return CompletableFuture.completedFuture(get(key));
  }

  @Override
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
    ValueWrapper present = get(key);
    if (present != null) {
      @SuppressWarnings("unchecked") // as the interface has it
      T value = (T) present.get();
      return CompletableFuture.completedFuture(value);
    }
    return valueLoader
        .get()
        .thenApply(computed -> {
          put(key, computed);
          return computed;
        });
  }

  /**
   * Puts without waiting for the others.
   *
   * @throws IllegalArgumentException if the key or value cannot be serialized, or holds what is not
   *     admitted, or is null and that is not kept
   */
  @Override
  public void put(Object key, @Nullable Object value) {
    puts.put(key(key), value(value));
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    SerializedValue serialized = key(key);
    SerializedValue now = value(value);
    while (true) {
      SerializedValue present = puts.putIfAbsent(serialized, now);
      ValueWrapper shown = shown(present);
      if (present == null || shown != null) {
        return shown;
      }
      if (puts.replace(serialized, present, now)) { // nobody here can read it
        return null;
      }
    }
  }

  @Override
  public void evict(Object key) {
    evictions.remove(key(key));
  }

  @Override
  public boolean evictIfPresent(Object key) {
    return evictions.remove(key(key)) != null;
  }

  /** Removes all that this server knows of. */
  @Override
  public void clear() {
    evictions.clear();
  }

  @Override
  public boolean invalidate() {
    boolean held = !puts.isEmpty();
    clear();
    return held;
  }
}
