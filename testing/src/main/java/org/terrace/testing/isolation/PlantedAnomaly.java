package org.terrace.testing.isolation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/**
 * An anomaly that is planted in a history, by transactions and lists that it has not: a checker
 * that does not find it would not have found one that was there. Stateless.
 */
public final class PlantedAnomaly {
  private PlantedAnomaly() {}

  /**
   * A history with an anomaly more, of the level that excludes it or, as far as a cycle needs none,
   * READ COMMITTED.
   */
  public static ListHistory in(ListHistory history, AnomalyKind kind) {
    long first =
        1
            + history.transactions().values().stream()
                .mapToLong(PlantedAnomaly::greatest)
                .max()
                .orElse(0);
    int x = 1 + history.lists().keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    Map<Long, ListTransaction> transactions = new TreeMap<>(history.transactions());
    Map<Integer, List<Long>> lists = new HashMap<>(history.lists());
    Pair pair = Pair.of(kind, first, x);
    for (int i = 0; i < 2; i++) {
      boolean aborted = kind == AnomalyKind.G1A && i == 0;
      transactions.put(
          first + i,
          new ListTransaction(
              first + i,
              levelOf(kind),
              aborted ? Outcome.ABORTED : Outcome.COMMITTED,
              i == 0 ? pair.one : pair.other));
    }
    lists.put(x, pair.inX);
    lists.put(x + 1, pair.inY);
    return new ListHistory(transactions, lists);
  }

  private static IsolationLevel levelOf(AnomalyKind kind) {
    return switch (kind) {
      case G_SINGLE -> IsolationLevel.SNAPSHOT;
      case G2 -> IsolationLevel.SERIALIZABLE;
      default -> IsolationLevel.READ_COMMITTED;
    };
  }

  private static long greatest(ListTransaction transaction) {
    List<Long> numbers = new ArrayList<>(List.of(transaction.id()));
    for (ListStep step : transaction.steps()) {
      switch (step) {
        case Append(int _, long element) -> numbers.add(element);
        case Read(int _, List<Long> seen) -> numbers.addAll(seen);
      }
    }
    return numbers.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Two transactions on two lists, and what those became. */
  private record Pair(List<ListStep> one, List<ListStep> other, List<Long> inX, List<Long> inY) {
    /** The elements of the first transaction are a and b, those of the second c and d. */
    static Pair of(AnomalyKind kind, long a, int x) {
      int y = x + 1;
      long b = a + 1;
      long c = a + 2;
      long d = a + 3;
      return switch (kind) {
        case INTERNAL ->
            new Pair(
                List.of(new Append(x, a), new Read(x, List.of())),
                List.of(),
                List.of(a),
                List.of());
        case VERSION_ORDER ->
            new Pair(
                List.of(new Append(x, a)),
                List.of(new Append(x, c), new Read(x, List.of(c))),
                List.of(a, c),
                List.of());
        case G0 ->
            new Pair(
                List.of(new Append(x, a), new Append(y, b)),
                List.of(new Append(x, c), new Append(y, d)),
                List.of(a, c),
                List.of(d, b));
        case G1A ->
            new Pair(
                List.of(new Append(x, a)), List.of(new Read(x, List.of(a))), List.of(), List.of());
        case G1B ->
            new Pair(
                List.of(new Append(x, a), new Append(x, b)),
                List.of(new Read(x, List.of(a))),
                List.of(a, b),
                List.of());
        case G1C ->
            new Pair(
                List.of(new Append(x, a), new Read(y, List.of(d))),
                List.of(new Append(y, d), new Read(x, List.of(a))),
                List.of(a),
                List.of(d));
        case G_SINGLE ->
            new Pair(
                List.of(new Append(x, a), new Append(y, b)),
                List.of(new Read(x, List.of(a)), new Read(y, List.of())),
                List.of(a),
                List.of(b));
        case G2 ->
            new Pair(
                List.of(new Read(x, List.of()), new Append(y, b)),
                List.of(new Read(y, List.of()), new Append(x, c)),
                List.of(c),
                List.of(b));
      };
    }
  }
}
