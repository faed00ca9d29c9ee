package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;
import org.terrace.observation.DisplayFilter;
import org.terrace.observation.Exchange;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import org.terrace.tracing.transaction.ClassProfile.Choice;
import org.terrace.tracing.transaction.ClassProfile.Example;
import org.terrace.tracing.transaction.ClassProfile.ExampleSpan;

/** The choice of examples among the transactions of a class, and what is told of each. */
final class ExampleChoice {
  /** Requests of one transaction that are told. */
  static final int SPANS_MAX = 40;

  private static final double NANOS_PER_MICRO = 1_000;

  private final RequestTable table;
  private final CallTree tree;
  private final boolean[] incomplete;
  private final Map<Integer, ObservedConnection> connections = new HashMap<>();

  ExampleChoice(Observation observation, CallTree tree, boolean[] incomplete) {
    table = observation.requests();
    this.tree = tree;
    this.incomplete = incomplete;
    observation.connections().forEach(each -> connections.put(each.connection(), each));
  }

  /** The examples among the transactions that begin with some rows, of which there is one. */
  List<Example> of(int[] rows) {
    int[] ended =
        Arrays.stream(rows).filter(row -> table.outcome(row) != Outcome.UNFINISHED).toArray();
    int[] complete = Arrays.stream(ended).filter(row -> !incomplete[row]).toArray();
    List<Example> examples = new ArrayList<>();
    if (ended.length > 0) {
      int[] calling = Arrays.stream(ended).filter(this::calls).toArray();
      int slowest = longest(calling.length > 0 ? calling : ended);
      examples.add(told(slowest, Choice.SLOWEST));
      if (incomplete[slowest] && complete.length > 0) {
        examples.add(told(longest(complete), Choice.SLOWEST_COMPLETE));
      }
      int[] usual = complete.length > 0 ? complete : ended;
      if (usual.length > 1) {
        examples.add(told(median(usual), Choice.TYPICAL));
      }
    }
    int[] failed = Arrays.stream(ended).filter(row -> table.outcome(row) != Outcome.OK).toArray();
    if (failed.length > 0) {
      examples.add(told(longest(failed), Choice.FAILED));
    }
    return examples;
  }

  /** Whether a call of a request is known. */
  private boolean calls(int row) {
    return tree.from[row] < tree.from[row + 1];
  }

  private long nanos(int row) {
    return table.departureNanos(row) - table.arrivalNanos(row);
  }

  private int longest(int[] rows) {
    int longest = rows[0];
    for (int row : rows) {
      longest = nanos(row) > nanos(longest) ? row : longest;
    }
    return longest;
  }

  private int median(int[] rows) {
    long[] sorted = Arrays.stream(rows).mapToLong(this::nanos).sorted().toArray();
    long median = Percentiles.ofSorted(sorted, 50);
    return Arrays.stream(rows).filter(row -> nanos(row) == median).findFirst().orElseThrow();
  }

  private Example told(int first, Choice choice) {
    List<Integer> walk = new ArrayList<>();
    IntStack open = new IntStack();
    open.push(first);
    while (!open.isEmpty()) {
      int row = open.pop();
      walk.add(row);
      for (int i = tree.from[row + 1] - 1; i >= tree.from[row]; i--) {
        open.push(tree.calls[i]);
      }
    }
    CriticalPath path = new CriticalPath(table, tree);
    Map<Integer, Long> critical = new HashMap<>();
    path.follow(first, (row, nanos) -> critical.merge(row, nanos, Long::sum));
    Set<Integer> kept = kept(walk);
    Map<Integer, Integer> places = new HashMap<>();
    List<ExampleSpan> spans = new ArrayList<>();
    for (int row : walk) {
      if (kept.contains(row)) {
        places.put(row, spans.size());
        int parent = row == first ? -1 : places.getOrDefault(tree.parent[row], -1);
        spans.add(span(row, parent, first, path.selfNanos(row), critical.getOrDefault(row, 0L)));
      }
    }
    return example(first, choice, walk, spans);
  }

  private Example example(int first, Choice choice, List<Integer> walk, List<ExampleSpan> spans) {
    Long from =
        walk.stream()
            .map(row -> known(table.exchange(row).firstFrame()))
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null);
    Long to =
        walk.stream()
            .map(row -> known(table.exchange(row).lastFrame()))
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(null);
    return new Example(
        choice,
        table.arrivalNanos(first),
        nanos(first) / NANOS_PER_MICRO,
        table.outcome(first),
        !incomplete[first],
        from,
        to,
        from == null || to == null || from > to ? null : filter(from, to, walk),
        walk.size() - spans.size(),
        spans);
  }

  private String filter(long from, long to, List<Integer> walk) {
    Set<ObservedConnection> on = new LinkedHashSet<>();
    for (int row : walk) {
      ObservedConnection connection = connections.get(table.connection(row));
      if (connection != null) {
        on.add(connection);
      }
    }
    String frames = DisplayFilter.frames(from, to);
    return DisplayFilter.connections(on).map(ports -> frames + " && " + ports).orElse(frames);
  }

  /** The longest requests with all that called them, as many as are told. */
  private Set<Integer> kept(List<Integer> walk) {
    if (walk.size() <= SPANS_MAX) {
      return new HashSet<>(walk);
    }
    Set<Integer> kept = new HashSet<>(Set.of(walk.getFirst()));
    List<Integer> longest = new ArrayList<>(walk);
    longest.sort(Comparator.comparingLong(this::nanos).reversed());
    for (int row : longest) {
      List<Integer> path = new ArrayList<>();
      for (int at = row; at >= 0 && !kept.contains(at); at = tree.parent[at]) {
        path.add(at);
      }
      if (kept.size() + path.size() <= SPANS_MAX) {
        kept.addAll(path);
      }
    }
    return kept;
  }

  private ExampleSpan span(int row, int parent, int first, long selfNanos, long criticalNanos) {
    TraceContext trace = Objects.requireNonNull(table.trace(row), "a row of a transaction");
    Exchange exchange = table.exchange(row);
    return new ExampleSpan(
        parent,
        table.servers().get(table.server(row)),
        table.requestClasses().get(table.requestClass(row)),
        (table.arrivalNanos(row) - table.arrivalNanos(first)) / NANOS_PER_MICRO,
        nanos(row) / NANOS_PER_MICRO,
        selfNanos / NANOS_PER_MICRO,
        criticalNanos / NANOS_PER_MICRO,
        trace.confidence(),
        trace.source(),
        table.outcome(row),
        known(exchange.firstFrame()),
        known(exchange.lastFrame()));
  }

  private static @Nullable Long known(long frame) {
    return frame == Exchange.UNKNOWN ? null : (Long) frame;
  }
}
