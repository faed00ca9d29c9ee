package org.terrace.observation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers distinct strings from zero in the order of their first use. Confined to one thread. */
final class Dictionary {
  private final Map<String, Integer> indexes = new HashMap<>();
  private final List<String> values = new ArrayList<>();

  int indexOf(String value) {
    Integer known = indexes.get(value);
    if (known != null) {
      return known;
    }
    int index = values.size();
    indexes.put(value, index);
    values.add(value);
    return index;
  }

  List<String> values() {
    return List.copyOf(values);
  }
}
