package org.terrace.cluster.controller.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Committing;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Lists;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Register;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Stale;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Transfer;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Unknown;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Work;
import org.terrace.testing.isolation.AnomalyCounts;
import org.terrace.testing.isolation.IsolationLevel;
import org.terrace.testing.isolation.ListHistory;
import org.terrace.testing.isolation.ListStep;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListTransaction;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/**
 * The judge of what clients were told against what the servers have: nothing acknowledged is lost,
 * nothing refused is there, nothing is there twice or in part, all servers have the same, no
 * session went back in time, and the lists show none of the anomalies that the levels of their
 * transactions exclude: READ COMMITTED, or one snapshot for who only reads. Stateless.
 */
final class HistoryJudge {
  /** The balance with which every account begins. */
  static final long OPENING_BALANCE = 1_000;

  private HistoryJudge() {}

  /** The violations; none if all promises held. */
  static List<String> violations(List<ClientTransactionLine> told, List<ServerContent> servers) {
    return violations(told, servers, new AnomalyCounts());
  }

  /** The same, with counts of the anomalies of the lists. */
  static List<String> violations(
      List<ClientTransactionLine> told, List<ServerContent> servers, AnomalyCounts anomalies) {
    Map<Long, Work> works = new TreeMap<>();
    Set<Long> acknowledged = new HashSet<>();
    Set<Long> refused = new HashSet<>();
    List<String> violations = new ArrayList<>();
    for (ClientTransactionLine line : told) {
      switch (line) {
        case Committing(long id, Work work) -> works.put(id, work);
        case Acknowledged(long id) -> acknowledged.add(id);
        case Refused(long id, String _) -> refused.add(id);
        case Stale(String what) -> violations.add("stale: " + what);
        case Unknown _ -> {}
      }
    }
    ServerContent first = servers.getFirst();
    for (int i = 1; i < servers.size(); i++) {
      if (!servers.get(i).equals(first)) {
        violations.add("server " + (i + 1) + " differs from server 1");
      }
    }
    checkTransfers(works, acknowledged, refused, first, violations);
    checkRegisters(works, acknowledged, refused, first, violations);
    checkLists(works, acknowledged, refused, first, violations);
    Set<Long> known = new HashSet<>(acknowledged);
    known.addAll(refused);
    checkUnknown(works, known, first, violations);
    anomalies.add(lists(told, first)).forEach(anomaly -> violations.add("anomaly: " + anomaly));
    return violations;
  }

  private static void checkTransfers(
      Map<Long, Work> works,
      Set<Long> acknowledged,
      Set<Long> refused,
      ServerContent content,
      List<String> violations) {
    works.forEach((id, work) -> {
      if (work instanceof Transfer expected) {
        Transfer found = content.transfers().get(id);
        if (found == null && acknowledged.contains(id)) {
          violations.add("lost: the acknowledged transfer " + id);
        } else if (found != null && refused.contains(id)) {
          violations.add("kept: the refused transfer " + id);
        } else if (found != null && !found.equals(expected)) {
          violations.add("changed: transfer " + id + " is " + found + ", was " + expected);
        }
      }
    });
    Map<Integer, Long> expected = new TreeMap<>();
    content.balances().keySet().forEach(account -> expected.put(account, OPENING_BALANCE));
    content
        .transfers()
        .forEach((id, transfer) -> {
          expected.merge(transfer.source(), -transfer.amount(), Long::sum);
          expected.merge(transfer.target(), transfer.amount(), Long::sum);
          if (!works.containsKey(id)) {
            violations.add("nobody's: transfer " + id);
          }
        });
    if (!expected.equals(content.balances())) {
      violations.add(
          "in part or twice: by the transfers the balances are "
              + expected
              + ", and not "
              + content.balances());
    }
  }

  private static void checkRegisters(
      Map<Long, Work> works,
      Set<Long> acknowledged,
      Set<Long> refused,
      ServerContent content,
      List<String> violations) {
    content
        .registers()
        .forEach((client, value) -> {
          long last =
              works.entrySet().stream()
                  .filter(each -> each.getValue().equals(new Register(client)))
                  .mapToLong(Map.Entry::getKey)
                  .filter(acknowledged::contains)
                  .max()
                  .orElse(0);
          if (value < last) {
            violations.add("lost: register " + client + " is " + value + ", " + last + " was set");
          } else if (refused.contains(value)) {
            violations.add("kept: register " + client + " has the refused " + value);
          }
        });
  }

  private static void checkLists(
      Map<Long, Work> works,
      Set<Long> acknowledged,
      Set<Long> refused,
      ServerContent content,
      List<String> violations) {
    Map<Integer, Set<Long>> appended = appended(works, acknowledged);
    Set<Long> undone = new HashSet<>();
    appended(works, refused).values().forEach(undone::addAll);
    content
        .lists()
        .forEach((list, elements) -> {
          Set<Long> there = new HashSet<>();
          for (long element : elements) {
            if (!there.add(element)) {
              violations.add("twice: " + element + " in list " + list);
            }
            if (undone.contains(element)) {
              violations.add("kept: the refused " + element + " in list " + list);
            }
          }
          for (long element : appended.getOrDefault(list, Set.of())) {
            if (!there.contains(element)) {
              violations.add("lost: the acknowledged " + element + " in list " + list);
            }
          }
        });
  }

  /** A transaction that ended unknown is there as a whole or not at all. */
  private static void checkUnknown(
      Map<Long, Work> works, Set<Long> known, ServerContent content, List<String> violations) {
    Set<Long> there = new HashSet<>();
    content.lists().values().forEach(there::addAll);
    works.forEach((id, work) -> {
      if (!known.contains(id) && work instanceof Lists) {
        Set<Long> elements = new TreeSet<>();
        appended(Map.of(id, work), Set.of(id)).values().forEach(elements::addAll);
        if (!there.containsAll(elements) && elements.stream().anyMatch(there::contains)) {
          violations.add("in part: of " + id + " some of " + elements);
        }
      }
    });
  }

  /** The history of the transactions on lists, and what the lists became at a server. */
  static ListHistory lists(List<ClientTransactionLine> told, ServerContent content) {
    Map<Long, Lists> works = new TreeMap<>();
    Map<Long, Outcome> outcomes = new HashMap<>();
    for (ClientTransactionLine line : told) {
      switch (line) {
        case Committing(long id, Lists lists) -> works.put(id, lists);
        case Acknowledged(long id) -> outcomes.put(id, Outcome.COMMITTED);
        case Refused(long id, String _) -> outcomes.put(id, Outcome.ABORTED);
        case Committing _, Unknown _, Stale _ -> {}
      }
    }
    List<ListTransaction> transactions = new ArrayList<>();
    works.forEach((id, lists) ->
        transactions.add(
            new ListTransaction(
                id,
                lists.snapshot() ? IsolationLevel.SNAPSHOT : IsolationLevel.READ_COMMITTED,
                outcomes.getOrDefault(id, Outcome.UNKNOWN),
                lists.steps())));
    return ListHistory.of(transactions, content.lists());
  }

  /** The elements that some of the transactions appended, by list. */
  private static Map<Integer, Set<Long>> appended(Map<Long, Work> works, Set<Long> ofThem) {
    Map<Integer, Set<Long>> appended = new HashMap<>();
    works.forEach((id, work) -> {
      if (ofThem.contains(id) && work instanceof Lists lists) {
        for (ListStep step : lists.steps()) {
          if (step instanceof Append(int list, long element)) {
            appended.computeIfAbsent(list, _ -> new TreeSet<>()).add(element);
          }
        }
      }
    });
    return appended;
  }
}
