package org.terrace.benchmarks.collections.peers;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measured map as one server process sees it: texts by text, shared by all servers. {@link #put}
 * returns when as many servers hold the value as the subject's level says. Thread-safe.
 */
public interface SharedMap {
  /** Puts a value. */
  void put(String key, String value) throws Exception;

  /** Puts several values, at once where the subject can. */
  default void putAll(Map<String, String> entries) throws Exception {
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      put(entry.getKey(), entry.getValue());
    }
  }

  /** The value here, or null. */
  @Nullable String get(String key) throws Exception;

  /** Removes a key. */
  void remove(String key) throws Exception;

  /** The number of servers that see each other, this one included. */
  int members() throws Exception;

  /** The number of entries that are here. */
  default int size() {
    throw new UnsupportedOperationException("the entries of this subject are not counted");
  }

  /** A list that the servers share beside the map. */
  default List<String> list() {
    throw new UnsupportedOperationException("this subject is measured without a list");
  }

  /** Waits until all servers hold all changes made so far. */
  default void awaitAll() {}

  /** Figures of the subject's own; none unless it has some. */
  default Map<String, Double> figures() {
    return Map.of();
  }
}
