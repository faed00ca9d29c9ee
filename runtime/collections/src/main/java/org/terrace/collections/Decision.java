package org.terrace.collections;

import org.jspecify.annotations.Nullable;

/** A decision on a key's value. */
sealed interface Decision<V> {
  /** Nothing changes. */
  record Keep<V>() implements Decision<V> {}

  /** The value goes. */
  record Remove<V>() implements Decision<V> {}

  /** The value comes in place of what is there. */
  record Put<V>(V value) implements Decision<V> {}

  static <V> Decision<V> putIf(boolean condition, @Nullable V value) {
    return condition && value != null ? new Put<>(value) : new Keep<>();
  }

  static <V> Decision<V> removeIf(boolean condition) {
    return condition ? new Remove<>() : new Keep<>();
  }
}
