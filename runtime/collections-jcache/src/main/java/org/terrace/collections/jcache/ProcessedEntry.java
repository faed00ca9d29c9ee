package org.terrace.collections.jcache;

import java.util.Objects;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** An entry while a processor works on it; what becomes of it is done afterwards. Confined. */
final class ProcessedEntry<K, V> implements MutableEntry<K, V> {
  /** The effect of a processor on its entry. */
  enum Effect {
    /** Nothing, not even a look. */
    NONE,
    /** A look at its value. */
    ACCESSED,
    /** A value that was loaded. */
    LOADED,
    /** Another value. */
    SET,
    /** No value any more. */
    REMOVED
  }

  private final K key;
  private final @Nullable V before;
  private final External<K, V> external;
  private @Nullable V value;
  private Effect effect = Effect.NONE;

  ProcessedEntry(K key, @Nullable V before, External<K, V> external) {
    this.key = key;
    this.before = before;
    this.value = before;
    this.external = external;
  }

  Effect effect() {
    return effect;
  }

  /** The value that is to be there. */
  @Nullable V value() {
    return value;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public @Nullable V getValue() {
    if (effect == Effect.NONE) {
      if (value != null) {
        effect = Effect.ACCESSED;
      } else {
        value = external.readThrough(key);
        effect = value == null ? Effect.NONE : Effect.LOADED;
      }
    }
    return value;
  }

  @Override
  public void setValue(V newValue) {
    value = Objects.requireNonNull(newValue, "an entry has a value");
    effect = Effect.SET;
  }

  @Override
  public void remove() {
    boolean isOnlyHere = before == null && (effect == Effect.SET || effect == Effect.LOADED);
    effect = isOnlyHere ? Effect.NONE : Effect.REMOVED;
    value = null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }
}
