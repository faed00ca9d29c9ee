package org.terrace.testing.isolation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An anomaly that a history shows.
 *
 * @param kind the kind of anomaly
 * @param transactions the transactions of the cycle in their order, or the reader and the writer
 * @param antiDependent those of them with which an anti-dependency begins: each read what the next
 *     one overwrote
 * @param evidence what was seen, for people; empty where a cycle is allowed
 */
public record Anomaly(
    AnomalyKind kind, List<Long> transactions, List<Long> antiDependent, String evidence) {
  /** Copies the lists. */
  public Anomaly {
    transactions = List.copyOf(transactions);
    antiDependent = List.copyOf(antiDependent);
  }

  /**
   * Whether the levels of the transactions exclude it. In a history of several levels an
   * anti-dependency counts against the level of the transaction that read, as in Adya's
   * mixing-correctness.
   */
  public boolean isExcludedIn(ListHistory history) {
    return antiDependent.stream()
        .map(id -> history.transactions().get(id))
        .map(reader -> reader == null ? IsolationLevel.READ_COMMITTED : reader.level())
        .allMatch(kind::isExcludedBy);
  }

  /** The same with what was seen. */
  Anomaly with(String seen) {
    return new Anomaly(kind, transactions, antiDependent, seen);
  }

  @Override
  public String toString() {
    return kind
        + ": "
        + transactions.stream().map(String::valueOf).collect(Collectors.joining(" -> "))
        + ": "
        + evidence;
  }
}
