package org.terrace.collections;

import java.util.List;

/**
 * The rule that makes one value of a key's concurrent ones, put on several replicas.
 *
 * <p>All concurrent values stay until a later put or removal that has seen them supersedes them;
 * the policy only says what a reader sees. It must be a pure function, the same on every replica.
 *
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface ValuePolicy<V> {
  /**
   * The value to show.
   *
   * @param concurrent two or more values, the one with the latest stamp first
   */
  V resolve(List<V> concurrent);

  /**
   * The value put last by the hybrid clock wins; the others can still be seen with {@code values}.
   */
  static <V> ValuePolicy<V> lastWriter() {
    return concurrent -> concurrent.getFirst();
  }
}
