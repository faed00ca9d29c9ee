package org.terrace.testing.isolation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts of the anomalies of histories, by their kinds: those that the levels of the transactions
 * exclude, which must not be, and those that they allow. Confined to one thread.
 */
public final class AnomalyCounts {
  private final Map<AnomalyKind, Long> excluded = new EnumMap<>(AnomalyKind.class);
  private final Map<AnomalyKind, Long> allowed = new EnumMap<>(AnomalyKind.class);
  private long transactions;
  private long snapshots;

  /** Counts of nothing yet. */
  public AnomalyCounts() {}

  /** Looks for the anomalies of a history, and gives those that must not be in it. */
  public List<Anomaly> add(ListHistory history) {
    List<Anomaly> violations = new ArrayList<>();
    for (Anomaly anomaly : AnomalyChecker.check(history)) {
      boolean isViolation = anomaly.isExcludedIn(history);
      (isViolation ? excluded : allowed).merge(anomaly.kind(), 1L, Long::sum);
      if (isViolation) {
        violations.add(anomaly);
      }
    }
    List<ListTransaction> looked = AnomalyChecker.looked(history);
    transactions += looked.size();
    snapshots +=
        looked.stream()
            .filter(transaction -> transaction.level() != IsolationLevel.READ_COMMITTED)
            .count();
    return violations;
  }

  /**
   * The numbers of transactions that were looked at and of what was found, by what it is, in
   * histories of READ COMMITTED with some transactions of higher levels.
   */
  public Map<String, Long> facts() {
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("transactions looked at for anomalies", transactions);
    facts.put("of them that read one snapshot", snapshots);
    for (AnomalyKind kind : AnomalyKind.values()) {
      facts.put("found of " + kind + " where it is excluded", excluded.getOrDefault(kind, 0L));
      if (!kind.isExcludedBy(IsolationLevel.READ_COMMITTED)) {
        facts.put("found of " + kind + " where it is allowed", allowed.getOrDefault(kind, 0L));
      }
    }
    return facts;
  }

  /** The kinds that are found when they are planted in a history, each by itself. */
  public static List<AnomalyKind> foundWhenPlanted(ListHistory history) {
    List<AnomalyKind> found = new ArrayList<>();
    for (AnomalyKind kind : AnomalyKind.values()) {
      ListHistory planted = PlantedAnomaly.in(history, kind);
      long before = ofKind(history, kind);
      if (ofKind(planted, kind) > before) {
        found.add(kind);
      }
    }
    return found;
  }

  private static long ofKind(ListHistory history, AnomalyKind kind) {
    return AnomalyChecker.check(history).stream()
        .filter(anomaly -> anomaly.kind() == kind && anomaly.isExcludedIn(history))
        .count();
  }
}
