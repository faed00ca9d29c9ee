package org.terrace.tracing.transaction;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import org.terrace.tracing.stitch.ParentEvidence;

/**
 * The transactions of a table: how many there are, how many are whole, how sure their calls are,
 * and in which classes of requests their time went. Immutable.
 *
 * @param count requests that no observed server called
 * @param complete those of them to which no call without a parent could belong
 * @param calls requests with a parent
 * @param confidenceMedian the median confidence in a request with a parent, 0 to 1
 * @param confidenceLow the 5th percentile of it
 * @param classes the classes by their part of the critical paths, the greatest first; of complete
 *     transactions alone
 */
public record TransactionSummary(
    long count,
    long complete,
    long calls,
    double confidenceMedian,
    double confidenceLow,
    List<ClassTimes> classes) {

  /** Copies the classes. */
  public TransactionSummary {
    classes = List.copyOf(classes);
  }

  /**
   * The time of one class of requests at one server, in complete transactions.
   *
   * @param server the server
   * @param requestClass the class
   * @param requests how many there were
   * @param residenceMicros the mean time from arrival to departure, in microseconds
   * @param selfMicros the mean time in which none of its own calls was open, in microseconds
   * @param criticalShare the part of all transactions' time in which this class was what they
   *     waited for, 0 to 1
   */
  public record ClassTimes(
      String server,
      String requestClass,
      long requests,
      double residenceMicros,
      double selfMicros,
      double criticalShare) {}

  /** The summary of a table; of one without transactions, zeros. */
  public static TransactionSummary of(RequestTable table) {
    CallTree tree = new CallTree(table);
    boolean[] incomplete = incomplete(table, tree);
    long count = 0;
    long complete = 0;
    double[] confidences = new double[table.size()];
    int calls = 0;
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      if (trace == null || isUnknown(trace)) {
        continue;
      }
      if (tree.parent[row] >= 0) {
        confidences[calls++] = trace.confidence();
      } else {
        count++;
        complete += incomplete[row] ? 0 : 1;
      }
    }
    double[] sorted = Arrays.copyOf(confidences, calls);
    Arrays.sort(sorted);
    return new TransactionSummary(
        count,
        complete,
        calls,
        calls == 0 ? 0 : sorted[calls / 2],
        calls == 0 ? 0 : sorted[calls / 20],
        classes(table, tree, incomplete));
  }

  private static boolean isUnknown(TraceContext trace) {
    return trace.source().equals(ParentEvidence.UNKNOWN.source());
  }

  /** Whether the transaction of each first row may lack a call, whose caller is not known. */
  static boolean[] incomplete(RequestTable table, CallTree tree) {
    boolean[] incomplete = new boolean[table.size()];
    int[] callers = table.clients().stream().mapToInt(table.servers()::indexOf).toArray();
    for (int server = 0; server < table.servers().size(); server++) {
      int[] open = new int[16];
      int opened = 0;
      for (int row = 0; row < table.size(); row++) {
        TraceContext trace = table.trace(row);
        if (trace == null) {
          continue;
        }
        if (isUnknown(trace)) {
          incomplete[row] = true;
          opened =
              callers[table.client(row)] == server
                  ? mark(table, tree, row, open, opened, incomplete)
                  : opened;
        }
        if (table.server(row) == server) {
          open = opened == open.length ? Arrays.copyOf(open, 2 * opened) : open;
          open[opened++] = row;
        }
      }
    }
    return incomplete;
  }

  /** Marks all that a call may belong to, and keeps those that are still there. */
  private static int mark(
      RequestTable table, CallTree tree, int call, int[] open, int opened, boolean[] incomplete) {
    int kept = 0;
    for (int i = 0; i < opened; i++) {
      if (table.departureNanos(open[i]) >= table.arrivalNanos(call)) {
        incomplete[tree.root[open[i]]] |=
            table.departureNanos(open[i]) >= table.departureNanos(call);
        open[kept++] = open[i];
      }
    }
    return kept;
  }

  private static List<ClassTimes> classes(RequestTable table, CallTree tree, boolean[] incomplete) {
    Map<Long, Times> times = new HashMap<>();
    CriticalPath path = new CriticalPath(table, tree);
    double all = 0;
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      if (trace == null || incomplete[tree.root[row]]) {
        continue;
      }
      Times of = times.computeIfAbsent(key(table, row), each -> new Times());
      of.requests++;
      of.residence += table.departureNanos(row) - table.arrivalNanos(row);
      of.self += path.selfNanos(row);
      if (tree.parent[row] < 0) {
        all += table.departureNanos(row) - table.arrivalNanos(row);
        path.follow(
            row,
            (on, nanos) ->
                times.computeIfAbsent(key(table, on), each -> new Times()).critical += nanos);
      }
    }
    double total = Math.max(1, all);
    return times.entrySet().stream()
        .map(each -> each.getValue().named(table, each.getKey(), total))
        .sorted(
            Comparator.comparingDouble(ClassTimes::criticalShare)
                .reversed()
                .thenComparing(ClassTimes::server)
                .thenComparing(ClassTimes::requestClass))
        .toList();
  }

  private static long key(RequestTable table, int row) {
    return ((long) table.server(row) << Integer.SIZE) + table.requestClass(row);
  }

  /** The sums of a class, in nanoseconds. */
  private static final class Times {
    private static final double NANOS_A_MICRO = 1_000;

    private long requests;
    private double residence;
    private double self;
    private double critical;

    ClassTimes named(RequestTable table, long key, double all) {
      return new ClassTimes(
          table.servers().get((int) (key >>> Integer.SIZE)),
          table.requestClasses().get((int) key),
          requests,
          residence / requests / NANOS_A_MICRO,
          self / requests / NANOS_A_MICRO,
          critical / all);
    }
  }
}
