package org.terrace.cli.kubernetes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trees of YAML, in the order in which they are written. Stateless. */
final class Trees {
  private Trees() {}

  /** A mapping of keys to values, one after the other; an empty list or mapping is left out. */
  static Map<String, Object> map(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int at = 0; at < keysAndValues.length; at += 2) {
      Object value = keysAndValues[at + 1];
      boolean empty =
          (value instanceof List<?> list && list.isEmpty())
              || (value instanceof Map<?, ?> values && values.isEmpty());
      if (!empty) {
        map.put((String) keysAndValues[at], value);
      }
    }
    return map;
  }

  /** A list that may grow. */
  static List<Object> list(Object... values) {
    return new ArrayList<>(Arrays.asList(values));
  }

  /** A copy of a tree that shares nothing with it, so that the text has no references. */
  static Object copy(Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, copy(value)));
        yield copy;
      }
      case List<?> list -> {
        List<Object> copy = new ArrayList<>();
        list.forEach(value -> copy.add(copy(value)));
        yield copy;
      }
      default -> tree;
    };
  }

  /** An empty mapping that is written, such as {@code emptyDir: {}}. */
  static Map<String, Object> key(String key) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, new LinkedHashMap<String, Object>());
    return map;
  }
}
