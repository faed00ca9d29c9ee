package org.terrace.testing.isolation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/**
 * The orders of a small history's committed transactions, tried one by one: whether one of them,
 * run one transaction after the other, reads all that was read and leaves the lists as they became.
 * Stateless.
 */
final class SerialOrders {
  private SerialOrders() {}

  static boolean explain(ListHistory history) {
    List<ListTransaction> committed =
        history.transactions().values().stream()
            .filter(transaction -> transaction.outcome() == Outcome.COMMITTED)
            .toList();
    return explain(history, committed, new HashMap<>());
  }

  private static boolean explain(
      ListHistory history, List<ListTransaction> left, Map<Integer, List<Long>> state) {
    if (left.isEmpty()) {
      return history.lists().entrySet().stream()
          .allMatch(list -> state.getOrDefault(list.getKey(), List.of()).equals(list.getValue()));
    }
    for (ListTransaction next : left) {
      Map<Integer, List<Long>> then = new HashMap<>();
      state.forEach((list, elements) -> then.put(list, new ArrayList<>(elements)));
      List<ListTransaction> rest = new ArrayList<>(left);
      rest.remove(next);
      if (runs(next, then) && explain(history, rest, then)) {
        return true;
      }
    }
    return false;
  }

  private static boolean runs(ListTransaction transaction, Map<Integer, List<Long>> state) {
    for (ListStep step : transaction.steps()) {
      List<Long> elements = state.computeIfAbsent(step.list(), _ -> new ArrayList<>());
      switch (step) {
        case Append(int _, long element) -> elements.add(element);
        case Read(int _, List<Long> seen) -> {
          if (!seen.equals(elements)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
