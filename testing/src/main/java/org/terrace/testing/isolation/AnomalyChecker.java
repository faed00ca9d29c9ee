package org.terrace.testing.isolation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.terrace.testing.isolation.DependencyGraph.Dependency;
import org.terrace.testing.isolation.DependencyGraph.Edge;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;

/**
 * The search for the anomalies of a history of transactions on lists. It looks at the reads of
 * those that were committed, and of those of unknown outcome unless nothing of what they appended
 * is there; what is found of a cycle is one shortest cycle for each write or read dependency's
 * component, and for each anti-dependency. Linear but for the cycles: each anti-dependency that is
 * in a component searches it once or twice. Confined to one thread.
 */
public final class AnomalyChecker {
  private static final Set<Dependency> WRITES = EnumSet.of(Dependency.WRITE);
  private static final Set<Dependency> DEPENDENCIES = EnumSet.of(Dependency.WRITE, Dependency.READ);
  private static final Set<Dependency> ALL = EnumSet.allOf(Dependency.class);

  private final ListHistory history;
  private final Map<Long, ListTransaction> writers = new HashMap<>();
  private final DependencyGraph graph = new DependencyGraph();
  private final List<Anomaly> found = new ArrayList<>();

  private AnomalyChecker(ListHistory history) {
    this.history = history;
  }

  /** The anomalies of a history; none: it could have been one transaction after the other. */
  public static List<Anomaly> check(ListHistory history) {
    AnomalyChecker checker = new AnomalyChecker(history);
    checker.noteWriters();
    history.lists().forEach(checker::addWrites);
    new TreeMap<>(history.transactions())
        .values().stream().filter(checker::took).forEach(checker::addReads);
    checker.findCycles();
    return List.copyOf(checker.found);
  }

  /** The transactions of a history that are looked at. */
  public static List<ListTransaction> looked(ListHistory history) {
    AnomalyChecker checker = new AnomalyChecker(history);
    return history.transactions().values().stream().filter(checker::took).toList();
  }

  /** Whether a transaction took effect, as far as anybody can tell. */
  private boolean took(ListTransaction transaction) {
    return switch (transaction.outcome()) {
      case COMMITTED -> true;
      case ABORTED -> false;
      case UNKNOWN -> {
        List<ListStep> appends =
            transaction.steps().stream().filter(Append.class::isInstance).toList();
        yield appends.isEmpty()
            || appends.stream()
                .anyMatch(step -> history.list(step.list()).contains(((Append) step).element()));
      }
    };
  }

  private void noteWriters() {
    for (ListTransaction transaction : history.transactions().values()) {
      for (ListStep step : transaction.steps()) {
        if (step instanceof Append(int _, long element)) {
          writers.put(element, transaction);
        }
      }
    }
  }

  private void addWrites(int list, List<Long> elements) {
    ListTransaction before = null;
    Set<Long> there = new HashSet<>(elements);
    Map<Long, ListTransaction> appending = new TreeMap<>();
    for (long element : elements) {
      ListTransaction writer = writers.get(element);
      if (writer == null) {
        tell(AnomalyKind.VERSION_ORDER, List.of(), "nobody appended " + element + " to " + list);
        continue;
      }
      appending.put(writer.id(), writer);
      if (before != null) {
        graph.add(before.id(), writer.id(), Dependency.WRITE);
      }
      before = writer;
    }
    for (ListTransaction writer : appending.values()) {
      List<Long> wanted = writer.appendsTo(list).stream().filter(there::contains).toList();
      List<Long> order = elements.stream().filter(element -> isBy(element, writer)).toList();
      if (!order.equals(wanted)) {
        tell(
            AnomalyKind.VERSION_ORDER,
            List.of(writer.id()),
            "appended %s to %d, which has %s".formatted(wanted, list, order));
      }
    }
  }

  private void addReads(ListTransaction reader) {
    Map<Integer, List<Long>> own = new HashMap<>();
    for (ListStep step : reader.steps()) {
      switch (step) {
        case Append(int list, long element) ->
            own.computeIfAbsent(list, _ -> new ArrayList<>()).add(element);
        case Read read -> addRead(reader, read, own.getOrDefault(read.list(), List.of()));
      }
    }
  }

  private void addRead(ListTransaction reader, Read read, List<Long> own) {
    List<Long> seen = read.seen();
    List<Long> whole = history.list(read.list());
    if (!seen.stream().filter(element -> isBy(element, reader)).toList().equals(own)) {
      tell(AnomalyKind.INTERNAL, List.of(reader.id()), told(reader, read));
      return;
    }
    for (long element : seen) {
      ListTransaction writer = writers.get(element);
      if (writer == null || !took(writer)) {
        tell(
            AnomalyKind.G1A,
            writer == null ? List.of(reader.id()) : List.of(writer.id(), reader.id()),
            told(reader, read));
        return;
      }
    }
    if (seen.size() > whole.size() || !seen.equals(whole.subList(0, seen.size()))) {
      tell(AnomalyKind.VERSION_ORDER, List.of(reader.id()), told(reader, read));
      return;
    }
    if (!seen.isEmpty()) {
      ListTransaction writer = Objects.requireNonNull(writers.get(seen.getLast()));
      graph.add(writer.id(), reader.id(), Dependency.READ);
      List<Long> all = writer.appendsTo(read.list());
      if (writer.id() != reader.id() && !all.getLast().equals(seen.getLast())) {
        tell(AnomalyKind.G1B, List.of(writer.id(), reader.id()), told(reader, read));
      }
    }
    if (seen.size() < whole.size()) {
      ListTransaction next = writers.get(whole.get(seen.size()));
      if (next != null) {
        graph.add(reader.id(), next.id(), Dependency.ANTI);
      }
    }
  }

  private boolean isBy(long element, ListTransaction transaction) {
    ListTransaction writer = writers.get(element);
    return writer != null && writer.id() == transaction.id();
  }

  private String told(ListTransaction reader, Read read) {
    return "%d saw %s in %d, which became %s"
        .formatted(reader.id(), read.seen(), read.list(), history.list(read.list()));
  }

  private void tell(AnomalyKind kind, List<Long> transactions, String what) {
    found.add(new Anomaly(kind, transactions, List.of(), what));
  }

  private void findCycles() {
    Map<Long, Integer> byWrites = graph.components(WRITES);
    Set<Integer> told = new HashSet<>();
    // An edge within a component is in a cycle, by what a component is.
    for (Edge edge : graph.edges(WRITES)) {
      if (isWithin(edge, byWrites) && told.add(byWrites.getOrDefault(edge.from(), -1))) {
        cycle(AnomalyKind.G0, edge, WRITES, byWrites);
      }
    }
    Map<Long, Integer> byDependencies = graph.components(DEPENDENCIES);
    told.clear();
    for (Edge edge : graph.edges(Dependency.READ, WRITES)) {
      if (isWithin(edge, byDependencies)
          && told.add(byDependencies.getOrDefault(edge.from(), -1))) {
        cycle(AnomalyKind.G1C, edge, DEPENDENCIES, byDependencies);
      }
    }
    Map<Long, Integer> byAll = graph.components(ALL);
    for (Edge edge : graph.edges(Dependency.ANTI, DEPENDENCIES)) {
      if (isWithin(edge, byAll) && !cycle(AnomalyKind.G_SINGLE, edge, DEPENDENCIES, byAll)) {
        cycle(AnomalyKind.G2, edge, ALL, byAll);
      }
    }
  }

  private static boolean isWithin(Edge edge, Map<Long, Integer> components) {
    return Objects.equals(components.get(edge.from()), components.get(edge.to()));
  }

  /** Tells of the shortest cycle that an edge begins and others of these reasons end, if any. */
  private boolean cycle(
      AnomalyKind kind, Edge edge, Set<Dependency> back, Map<Long, Integer> components) {
    Integer component = components.get(edge.from());
    Predicate<Long> within = node -> Objects.equals(components.get(node), component);
    List<Long> path = graph.path(edge.to(), edge.from(), back, within);
    if (path.isEmpty()) {
      return false;
    }
    List<Long> cycle = new ArrayList<>(path);
    Collections.rotate(cycle, 1);
    List<Long> antiDependent = new ArrayList<>();
    for (int i = 0; i < cycle.size(); i++) {
      long next = cycle.get((i + 1) % cycle.size());
      if (!graph.has(cycle.get(i), next, DEPENDENCIES)) {
        antiDependent.add(cycle.get(i));
      }
    }
    Anomaly anomaly = new Anomaly(kind, cycle, antiDependent, "");
    // What is allowed may be found often, and is only counted.
    found.add(anomaly.isExcludedIn(history) ? anomaly.with(steps(cycle)) : anomaly);
    return true;
  }

  private String steps(List<Long> cycle) {
    List<String> steps = new ArrayList<>();
    for (long id : cycle) {
      ListTransaction transaction = history.transactions().get(id);
      steps.add(id + " " + (transaction == null ? List.of() : transaction.steps()));
    }
    return String.join("; ", steps);
  }
}
