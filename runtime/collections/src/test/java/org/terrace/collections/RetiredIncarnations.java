package org.terrace.collections;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.causality.Dot;

/**
 * The updates known of each incarnation of a cluster's replicas when it was last found to be over,
 * and the key of each update of the replicas.
 */
public final class RetiredIncarnations {
  private final Map<Long, SequenceSet> known = new TreeMap<>();
  private final Map<Dot, Object> keys = new HashMap<>();

  /**
   * Takes note of a decision. One that all who knew of it have lost with a crash may be made again,
   * and differ: also by nothing being known of an incarnation any more.
   *
   * @param incarnations what was known of those that had a place
   * @param isNew whether an incarnation was retired by this decision
   */
  void add(SortedMap<Long, SequenceSet> incarnations, LongPredicate isNew) {
    known.keySet().removeIf(isNew::test);
    incarnations.forEach((incarnation, set) -> known.put(incarnation, SequenceSet.copyOf(set)));
  }

  void made(Dot dot, Object key) {
    keys.put(dot, key);
  }

  /** Keys that replicas have updated of their own accord, in repair. */
  Set<String> repairedKeys(Collection<Dot> called) {
    Set<String> repaired = new TreeSet<>();
    keys.forEach((dot, key) -> {
      if (!called.contains(dot)) {
        repaired.add(key.toString());
      }
    });
    return repaired;
  }

  /** Whether the update was known when its writer was retired. */
  boolean contains(Dot dot) {
    SequenceSet set = known.get(dot.writer());
    return set != null && set.contains(dot.sequence());
  }

  public int size() {
    return known.size();
  }
}
