package org.terrace.control.manager;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The replicas of one service that are to be ended. Those whose end was ordered stay condemned; one
 * that was only declared failed is taken back if it registers again before it is ended, as it is
 * alive then. Confined to its {@link ServiceKeeper}.
 */
final class Condemned {
  /**
   * A connection that broke ends no process. The reference goes on without the replica at once, and
   * its process, which is gone mostly, can wait for so long in case it connects again.
   */
  static final long RETURN_NANOS = 500_000_000;

  private static final int CONDEMNED_MAX = 1_024;

  private record Sentence(long pid, long dueNanos, boolean ordered) {}

  private final Map<String, Sentence> sentences = new LinkedHashMap<>();

  /** It is to be ended whatever it does. */
  void order(ReplicaRecord replica, long nowNanos) {
    put(replica.name(), new Sentence(replica.pid, nowNanos, true));
  }

  /** It was declared failed, and is to be ended at that time unless it is back before. */
  void declareFailed(ReplicaRecord replica, long dueNanos) {
    Sentence before = sentences.get(replica.name());
    if (before == null || !before.ordered) {
      put(replica.name(), new Sentence(replica.pid, dueNanos, false));
    }
  }

  private void put(String name, Sentence sentence) {
    sentences.put(name, sentence);
    if (sentences.size() > CONDEMNED_MAX) {
      sentences.remove(sentences.keySet().iterator().next());
    }
  }

  /** A replica has registered; whether its end was ordered all the same. */
  boolean isOrdered(String name) {
    Sentence sentence = sentences.get(name);
    if (sentence != null && !sentence.ordered) {
      sentences.remove(name);
    }
    return sentence != null && sentence.ordered;
  }

  void forget(String name) {
    sentences.remove(name);
  }

  /** Whether somebody is to be ended by now. */
  boolean isDue(long nowNanos) {
    return sentences.values().stream().anyMatch(sentence -> nowNanos >= sentence.dueNanos);
  }

  /** Ends those who are due, but for those whom the reference still lists. */
  void kill(long nowNanos, Predicate<String> isListed, List<ManagerEffect> effects) {
    sentences
        .entrySet()
        .removeIf(each -> {
          boolean killed = nowNanos >= each.getValue().dueNanos && !isListed.test(each.getKey());
          if (killed) {
            effects.add(new ManagerEffect.Kill(each.getKey(), each.getValue().pid));
          }
          return killed;
        });
  }
}
