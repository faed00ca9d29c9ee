package org.terrace.testing.isolation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The direct serialization graph of a history: who must come after whom, and why. Confined to one
 * thread.
 */
final class DependencyGraph {
  /** A reason for which one transaction comes after another. */
  enum Dependency {
    /** It overwrote what the other wrote. */
    WRITE,
    /** It read what the other wrote. */
    READ,
    /** It overwrote what the other read. */
    ANTI
  }

  /** An edge from one transaction to the one that must come after it. */
  record Edge(long from, long to) {}

  private final Map<Long, Map<Long, EnumSet<Dependency>>> after = new TreeMap<>();

  /** Notes that a transaction comes after another; nobody comes after itself. */
  void add(long from, long to, Dependency why) {
    if (from != to) {
      after
          .computeIfAbsent(from, _ -> new TreeMap<>())
          .computeIfAbsent(to, _ -> EnumSet.noneOf(Dependency.class))
          .add(why);
      after.computeIfAbsent(to, _ -> new TreeMap<>());
    }
  }

  /** The edges that have one of these reasons. */
  List<Edge> edges(Set<Dependency> reasons) {
    List<Edge> edges = new ArrayList<>();
    after
        .keySet()
        .forEach(from -> nexts(from, reasons).forEach(to -> edges.add(new Edge(from, to))));
    return edges;
  }

  /** The edges that have a reason, and none of some others. */
  List<Edge> edges(Dependency why, Set<Dependency> butNone) {
    return edges(EnumSet.of(why)).stream()
        .filter(edge -> !has(edge.from, edge.to, butNone))
        .toList();
  }

  /** Whether there is an edge of one of these reasons. */
  boolean has(long from, long to, Set<Dependency> reasons) {
    return nexts(from, reasons).contains(to);
  }

  private List<Long> nexts(long from, Set<Dependency> reasons) {
    List<Long> nexts = new ArrayList<>();
    after
        .getOrDefault(from, Map.of())
        .forEach((to, why) -> {
          if (!Collections.disjoint(why, reasons)) {
            nexts.add(to);
          }
        });
    return nexts;
  }

  /**
   * A shortest path by edges of these reasons, through transactions that a condition lets pass,
   * with both ends; empty if there is none.
   */
  List<Long> path(long from, long to, Set<Dependency> reasons, Predicate<Long> within) {
    Map<Long, Long> before = new HashMap<>();
    Deque<Long> open = new ArrayDeque<>(List.of(from));
    before.put(from, from);
    while (!open.isEmpty() && !before.containsKey(to)) {
      long node = open.removeFirst();
      for (long next : nexts(node, reasons)) {
        if (within.test(next) && before.putIfAbsent(next, node) == null) {
          open.addLast(next);
        }
      }
    }
    if (!before.containsKey(to)) {
      return List.of();
    }
    Deque<Long> path = new ArrayDeque<>(List.of(to));
    while (path.getFirst() != from) {
      path.addFirst(Objects.requireNonNull(before.get(path.getFirst())));
    }
    return List.copyOf(path);
  }

  /**
   * The strongly connected component of each transaction that has an edge, by a number: two have
   * the same one if and only if a cycle of edges of these reasons goes through both. By Kosaraju's
   * two searches.
   */
  Map<Long, Integer> components(Set<Dependency> reasons) {
    Map<Long, List<Long>> before = new HashMap<>();
    after
        .keySet()
        .forEach(node ->
            nexts(node, reasons)
                .forEach(next -> before.computeIfAbsent(next, _ -> new ArrayList<>()).add(node)));
    Map<Long, Integer> components = new HashMap<>();
    for (long root : finished(reasons).reversed()) {
      if (components.containsKey(root)) {
        continue;
      }
      int number = components.size(); // no other's, as each component adds to it
      Deque<Long> open = new ArrayDeque<>(List.of(root));
      components.put(root, number);
      while (!open.isEmpty()) {
        for (long node : before.getOrDefault(open.removeLast(), List.of())) {
          if (components.putIfAbsent(node, number) == null) {
            open.addLast(node);
          }
        }
      }
    }
    return components;
  }

  /** All transactions in the order in which a search in depth leaves them. */
  private List<Long> finished(Set<Dependency> reasons) {
    List<Long> finished = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    Deque<Long> nodes = new ArrayDeque<>();
    Deque<Iterator<Long>> rest = new ArrayDeque<>();
    for (long root : after.keySet()) {
      if (seen.add(root)) {
        nodes.addLast(root);
        rest.addLast(nexts(root, reasons).iterator());
      }
      while (!nodes.isEmpty()) {
        if (!rest.getLast().hasNext()) {
          finished.add(nodes.removeLast());
          rest.removeLast();
          continue;
        }
        long next = rest.getLast().next();
        if (seen.add(next)) {
          nodes.addLast(next);
          rest.addLast(nexts(next, reasons).iterator());
        }
      }
    }
    return finished;
  }
}
