package org.terrace.testing.isolation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A history of transactions on lists that are only appended to, so that what a list became tells
 * the order of its versions. Immutable.
 *
 * @param transactions by their numbers
 * @param lists the elements of each list in the end
 */
public record ListHistory(Map<Long, ListTransaction> transactions, Map<Integer, List<Long>> lists) {
  /** Copies the maps. */
  public ListHistory {
    transactions = Map.copyOf(transactions);
    lists = Map.copyOf(lists);
  }

  /** A history of these transactions. */
  public static ListHistory of(List<ListTransaction> transactions, Map<Integer, List<Long>> lists) {
    Map<Long, ListTransaction> byId = new TreeMap<>();
    transactions.forEach(transaction -> byId.put(transaction.id(), transaction));
    return new ListHistory(byId, lists);
  }

  /** The elements of a list in the end; none if there is no such list. */
  List<Long> list(int list) {
    return lists.getOrDefault(list, List.of());
  }
}
