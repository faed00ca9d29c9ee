package org.terrace.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What was known of each life of a cluster's replicas when it was found to be over. */
final class RetiredLives {
  private final Map<Long, SequenceSet> known = new TreeMap<>();
  final List<String> contradictions = new ArrayList<>();

  void add(SortedMap<Long, SequenceSet> lives) {
    lives.forEach((life, set) -> {
      SequenceSet before = known.putIfAbsent(life, SequenceSet.copyOf(set));
      if (before != null && !before.equals(set)) {
        contradictions.add("life " + life + " was retired with " + before + " and with " + set);
      }
    });
  }

  /** Whether the update was known when its writer was retired. */
  boolean contains(Dot dot) {
    SequenceSet set = known.get(dot.writer());
    return set != null && set.contains(dot.sequence());
  }

  int size() {
    return known.size();
  }
}
