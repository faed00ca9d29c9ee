package org.terrace.cluster.jdbc.proof;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Committing;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Lists;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Out;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Register;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Stale;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Step;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Transfer;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Work;

/**
 * The judge of what clients were told against what the servers have: nothing acknowledged is lost,
 * nothing refused is there, nothing is there twice or in part, all servers have the same, no
 * session went back in time, and the lists show none of the anomalies that READ COMMITTED excludes:
 * G0 (writes in a circle), G1a (a read of what was undone), G1b (of what was not the last), G1c (a
 * circle of writes and reads), after Adya, Liskov and O'Neil, Generalized Isolation Level
 * Definitions, 2000. Stateless.
 */
final class HistoryJudge {
  /** The balance with which every account begins. */
  static final long OPENING_BALANCE = 1_000;

  private HistoryJudge() {}

  /** The violations; none if all promises held. */
  static List<String> violations(List<ClientTransactionLine> told, List<ServerContent> servers) {
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
        case Out _ -> {}
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
    content
        .lists()
        .forEach((list, elements) -> {
          Set<Long> there = new HashSet<>();
          for (long element : elements) {
            if (!there.add(element)) {
              violations.add("twice: " + element + " in list " + list);
            }
            if (refused.contains(element)) {
              violations.add("kept: the refused " + element + " in list " + list);
            }
          }
          for (long id : appended.getOrDefault(list, Set.of())) {
            if (!there.contains(id)) {
              violations.add("lost: the acknowledged " + id + " in list " + list);
            }
          }
        });
    Map<Long, Set<Long>> after = new HashMap<>();
    content.lists().values().forEach(elements -> addWrites(elements, after));
    works.forEach((id, work) -> {
      if (!refused.contains(id) && work instanceof Lists lists) {
        addReads(id, lists, content, after, violations);
      }
    });
    List<Long> circle = circleOf(after);
    if (!circle.isEmpty()) {
      violations.add("in a circle (G0 or G1c): " + circle);
    }
  }

  /** The acknowledged transactions that appended to a list, by list. */
  private static Map<Integer, Set<Long>> appended(Map<Long, Work> works, Set<Long> acknowledged) {
    Map<Integer, Set<Long>> appended = new HashMap<>();
    works.forEach((id, work) -> {
      if (acknowledged.contains(id) && work instanceof Lists(List<Step> steps)) {
        for (Step step : steps) {
          if (step.seen() == null) {
            appended.computeIfAbsent(step.list(), _ -> new TreeSet<>()).add(id);
          }
        }
      }
    });
    return appended;
  }

  private static void addWrites(List<Long> elements, Map<Long, Set<Long>> after) {
    for (int i = 1; i < elements.size(); i++) {
      addEdge(elements.get(i - 1), elements.get(i), after);
    }
  }

  /** Each read saw a beginning of what the list became. */
  private static void addReads(
      long id,
      Lists lists,
      ServerContent content,
      Map<Long, Set<Long>> after,
      List<String> violations) {
    for (Step step : lists.steps()) {
      List<Long> seen = step.seen();
      if (seen == null) {
        continue;
      }
      List<Long> whole = content.lists().getOrDefault(step.list(), List.of());
      if (seen.size() > whole.size() || !seen.equals(whole.subList(0, seen.size()))) {
        violations.add(
            "read what did not last (G1a or G1b): %d saw %s in list %d, which is %s"
                .formatted(id, seen, step.list(), whole));
      } else if (!seen.isEmpty()) {
        addEdge(seen.getLast(), id, after);
      }
    }
  }

  private static void addEdge(Long from, Long to, Map<Long, Set<Long>> after) {
    if (!Objects.equals(from, to)) {
      after.computeIfAbsent(from, _ -> new HashSet<>()).add(to);
    }
  }

  /** A circle, without those who only lead to one or follow one; empty if there is none. */
  private static List<Long> circleOf(Map<Long, Set<Long>> after) {
    Map<Long, Integer> before = new TreeMap<>();
    after.keySet().forEach(node -> before.putIfAbsent(node, 0));
    after.values().stream()
        .flatMap(Collection::stream)
        .forEach(node -> before.merge(node, 1, Integer::sum));
    List<Long> free = new ArrayList<>();
    before.forEach((node, count) -> {
      if (count == 0) {
        free.add(node);
      }
    });
    while (!free.isEmpty()) {
      long node = free.removeLast();
      before.remove(node);
      for (long next : after.getOrDefault(node, Set.of())) {
        if (before.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    Set<Long> left = new TreeSet<>(before.keySet());
    while (left.removeIf(
        node -> after.getOrDefault(node, Set.of()).stream().noneMatch(left::contains))) {
      // Until nobody is left who only follows a circle.
    }
    return List.copyOf(left);
  }
}
