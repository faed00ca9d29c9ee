package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.terrace.core.Percentiles;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.observation.TraceContext;
import org.terrace.tracing.stitch.ParentEvidence;
import org.terrace.tracing.transaction.ClassProfile.Times;

/**
 * The profiles of an observation's transactions by the class of their first request. A pure
 * function: some 16 bytes of memory a request and {@code O(requests)} time, whatever is listed is
 * bounded. Stateless.
 */
public final class TransactionProfiles {
  /** Classes that are profiled, those with most time in all. */
  public static final int CLASSES_MAX = 10;

  private static final double NANOS_PER_MICRO = 1_000;

  private final RequestTable table;
  private final ServerGroups groups;
  private final CallTree tree;
  private final boolean[] incomplete;
  private final ExampleChoice choice;
  private final int[] nodeOfRow;

  private final long startNanos;
  private final long endNanos;

  private TransactionProfiles(Observation observation, long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
    table = observation.requests();
    groups = new ServerGroups(table.servers(), observation.servers());
    tree = new CallTree(table);
    incomplete = TransactionSummary.incomplete(table, tree);
    choice = new ExampleChoice(observation, tree, incomplete);
    nodeOfRow = new int[table.size()];
  }

  /** The first requests of one class, in the order of their arrival. */
  private static final class First {
    private int[] rows = new int[64];
    private int count;
    private double nanos;

    void add(int row, long residenceNanos) {
      rows = count == rows.length ? Arrays.copyOf(rows, 2 * count) : rows;
      rows[count++] = row;
      nanos += residenceNanos;
    }
  }

  /**
   * The profiles of the transactions that begin in a stretch of time, those with most time in all
   * first; none of requests without transactions.
   *
   * @param startNanos its start, in nanoseconds since the Unix epoch
   * @param endNanos its end, exclusive
   */
  public static List<ClassProfile> of(Observation observation, long startNanos, long endNanos) {
    return new TransactionProfiles(observation, startNanos, endNanos).profiles();
  }

  /** The calls of which nothing tells for which request. */
  public static long callsWithoutParent(RequestTable table) {
    long calls = 0;
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      calls += trace != null && isUnknown(trace) ? 1 : 0;
    }
    return calls;
  }

  private static boolean isUnknown(TraceContext trace) {
    return trace.source().equals(ParentEvidence.UNKNOWN.source());
  }

  private List<ClassProfile> profiles() {
    Map<Long, First> classes = new HashMap<>();
    int clients = table.servers().indexOf(Server.CLIENTS);
    double all = 0;
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      if (trace == null
          || isUnknown(trace)
          || tree.parent[row] >= 0
          || table.arrivalNanos(row) < startNanos
          || table.arrivalNanos(row) >= endNanos
          || table.server(row) == clients) {
        continue;
      }
      long nanos = table.departureNanos(row) - table.arrivalNanos(row);
      all += nanos;
      classes.computeIfAbsent(groups.key(table, row), key -> new First()).add(row, nanos);
    }
    double total = Math.max(1, all);
    return classes.values().stream()
        .sorted(
            Comparator.comparingDouble((First each) -> each.nanos)
                .reversed()
                .thenComparingInt(each -> each.rows[0]))
        .limit(CLASSES_MAX)
        .map(each -> profile(Arrays.copyOf(each.rows, each.count), each.nanos / total))
        .toList();
  }

  private ClassProfile profile(int[] rows, double timeShare) {
    int[] complete = Arrays.stream(rows).filter(row -> !incomplete[row]).toArray();
    CallAggregate calls = new CallAggregate(table, tree, groups, nodeOfRow);
    TierTimes tiers = new TierTimes(groups, complete.length);
    CriticalPath path = new CriticalPath(table, tree);
    for (int i = 0; i < complete.length; i++) {
      int place = i;
      calls.add(complete[i], path);
      path.follow(
          complete[i],
          (row, nanos) -> {
            calls.critical(row, nanos);
            tiers.add(place, groups.of(table.server(row)), nanos);
          });
    }
    TreeSet<String> servers = new TreeSet<>();
    int failed = 0;
    for (int row : rows) {
      servers.add(table.servers().get(table.server(row)));
      Outcome outcome = table.outcome(row);
      failed += outcome == Outcome.ERROR || outcome == Outcome.ABORTED ? 1 : 0;
    }
    List<ClassProfile.Call> listed = calls.listed();
    return new ClassProfile(
        new ArrayList<>(servers),
        table.requestClasses().get(table.requestClass(rows[0])),
        rows.length,
        complete.length,
        Arrays.stream(complete)
                .mapToLong(row -> table.departureNanos(row) - table.arrivalNanos(row))
                .average()
                .orElse(0)
            / NANOS_PER_MICRO,
        failed,
        times(rows),
        timeShare,
        tiers.means(),
        listed,
        calls.size() - listed.size(),
        choice.of(rows));
  }

  private Times times(int[] rows) {
    long[] nanos =
        Arrays.stream(rows)
            .filter(row -> table.outcome(row) != Outcome.UNFINISHED)
            .mapToLong(row -> table.departureNanos(row) - table.arrivalNanos(row))
            .sorted()
            .toArray();
    if (nanos.length == 0) {
      return new Times(0, 0, 0, 0, 0);
    }
    return new Times(
        Arrays.stream(nanos).average().orElse(0) / NANOS_PER_MICRO,
        Percentiles.ofSorted(nanos, 50) / NANOS_PER_MICRO,
        Percentiles.ofSorted(nanos, 99) / NANOS_PER_MICRO,
        Percentiles.ofSorted(nanos, 99.9) / NANOS_PER_MICRO,
        nanos[nanos.length - 1] / NANOS_PER_MICRO);
  }
}
