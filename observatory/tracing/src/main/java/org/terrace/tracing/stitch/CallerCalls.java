package org.terrace.tracing.stitch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;

/**
 * The requests at one server, and the calls that it makes of others, of which each may have one of
 * the requests as its parent: those that were there before it began and until it ended. Sorted by
 * arrival. Immutable.
 */
final class CallerCalls {
  /** Parents a call may have; one with more has none of them as a candidate. */
  static final int CANDIDATES_MAX = 48;

  /** Requests that may be there for a call; with more, none is looked at. */
  private static final int PRESENT_MAX = 256;

  /** Classes of requests, and kinds of calls, that are told apart; the rarest are as one. */
  static final int CLASSES_MAX = 48;

  /** Calls of one block; a longer one is none. */
  private static final int BLOCK_MAX = 1_000;

  private final Map<Integer, String> statements = new HashMap<>();

  /** The rows of the requests, and those of the calls. */
  final int[] parentRows;

  final int[] callRows;

  /** The class of each request and the kind of each call, as small numbers. */
  final int[] parentClass;

  final int[] kind;
  final int classes;
  final int kinds;

  final long[] parentStart;
  final long[] parentEnd;
  final long[] start;
  final long[] end;

  /** The stretch that a call's parent must have been there: that of its transaction's block. */
  private final long[] blockStart;

  private final long[] blockEnd;

  /** The server that a call goes to. */
  final int[] target;

  /** The call before on the same connection; -1 for its first. */
  final int[] before;

  /** The call after on the same connection; -1 for its last. */
  final int[] after;

  /** The candidates of call {@code i} are {@code candidates[from[i], from[i + 1])}. */
  final int[] from;

  final int[] candidates;

  /** Whether a call lay within one request alone. */
  final boolean[] nested;

  /** Whether a call's bytes name the transaction of one request alone, its only candidate. */
  final boolean[] identified;

  /** The share of a call that each candidate has by its class alone. */
  final float[] shares;

  final SendOrder order;

  /** The values that calls and requests carry. */
  final ValueFlow values;

  CallerCalls(RequestTable table, int[] parentRows, int[] callRows) {
    this.parentRows = parentRows;
    this.callRows = callRows;
    parentStart = Arrays.stream(parentRows).mapToLong(table::arrivalNanos).toArray();
    parentEnd = Arrays.stream(parentRows).mapToLong(table::departureNanos).toArray();
    start = Arrays.stream(callRows).mapToLong(table::arrivalNanos).toArray();
    end = Arrays.stream(callRows).mapToLong(table::departureNanos).toArray();
    target = Arrays.stream(callRows).map(table::server).toArray();
    parentClass = ranked(Arrays.stream(parentRows).mapToLong(table::requestClass).toArray());
    kind =
        ranked(
            Arrays.stream(callRows)
                .mapToLong(
                    row -> ((long) table.server(row) << Integer.SIZE) + table.requestClass(row))
                .toArray());
    classes = 1 + Arrays.stream(parentClass).max().orElse(0);
    kinds = 1 + Arrays.stream(kind).max().orElse(0);
    before = before(table);
    after = new int[callRows.length];
    Arrays.fill(after, -1);
    for (int call = 0; call < before.length; call++) {
      if (before[call] >= 0) {
        after[before[call]] = call;
      }
    }
    blockStart = start.clone();
    blockEnd = end.clone();
    findBlocks(table);
    from = new int[callRows.length + 1];
    nested = new boolean[callRows.length];
    identified = new boolean[callRows.length];
    int[] present = candidates(table);
    Affinities affinities =
        new Affinities(from.clone(), present, parentClass, classes, kind, kinds);
    shares = new float[present.length];
    candidates = possible(present, affinities);
    order = new SendOrder(parentStart, parentEnd, start, end);
    values = new ValueFlow(table, parentRows, callRows, kind, kinds);
  }

  int calls() {
    return callRows.length;
  }

  int parents() {
    return parentRows.length;
  }

  /** The time from the first beginning of a request or call to the last end of one. */
  double spanNanos() {
    long begin =
        LongStream.concat(Arrays.stream(parentStart), Arrays.stream(start)).min().orElse(0);
    long finish = LongStream.concat(Arrays.stream(parentEnd), Arrays.stream(end)).max().orElse(0);
    return finish - (double) begin;
  }

  int candidateCount(int call) {
    return from[call + 1] - from[call];
  }

  /** Numbers from 0 for the most frequent values, the last one for all that are left. */
  private static int[] ranked(long[] values) {
    Map<Long, Integer> counts = new HashMap<>();
    for (long value : values) {
      counts.merge(value, 1, Integer::sum);
    }
    Map<Long, Integer> ranks = new HashMap<>();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<Long, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(each -> ranks.put(each.getKey(), Math.min(ranks.size(), CLASSES_MAX - 1)));
    return Arrays.stream(values).mapToInt(ranks::get).toArray();
  }

  private int[] before(RequestTable table) {
    int[] result = new int[callRows.length];
    Map<Long, Integer> last = new HashMap<>();
    for (int call = 0; call < callRows.length; call++) {
      int row = callRows[call];
      long connection = ((long) table.server(row) << Integer.SIZE) + table.connection(row);
      Integer previous = last.put(connection, call);
      result[call] = previous == null ? -1 : previous;
    }
    return result;
  }

  /** Gives one parent to all calls between BEGIN and COMMIT on a connection. */
  private void findBlocks(RequestTable table) {
    for (int call = 0; call < callRows.length; call++) {
      if (!begins(table, call)) {
        continue;
      }
      int last = call;
      int length = 1;
      while (last >= 0 && length++ < BLOCK_MAX && !ends(table, last)) {
        last = after[last];
        if (last >= 0 && begins(table, last)) {
          last = -1;
        }
      }
      if (last < 0 || !ends(table, last)) {
        continue;
      }
      for (int at = call; at >= 0 && at <= last; at = after[at]) {
        blockStart[at] = start[call];
        blockEnd[at] = end[last];
      }
    }
  }

  private boolean begins(RequestTable table, int call) {
    String text = statement(table, call);
    return text.startsWith("BEGIN") || text.startsWith("START TRANSACTION");
  }

  private boolean ends(RequestTable table, int call) {
    String text = statement(table, call);
    return text.startsWith("COMMIT") || (text.startsWith("ROLLBACK") && !text.contains(" TO "));
  }

  private String statement(RequestTable table, int call) {
    return statements.computeIfAbsent(
        table.requestClass(callRows[call]),
        each -> RequestClass.statement(table.requestClasses().get(each)).toUpperCase(Locale.ROOT));
  }

  /** Sweeps over both in the order of time, with the requests that are there. */
  private int[] candidates(RequestTable table) {
    NamedTransactions named = new NamedTransactions(table, parentRows);
    int[] found = new int[Math.max(16, 4 * callRows.length)];
    int[] open = new int[parentRows.length];
    int opened = 0;
    int next = 0;
    int size = 0;
    for (int call = 0; call < callRows.length; call++) {
      while (next < parentRows.length && parentStart[next] <= start[call]) {
        open[opened++] = next++;
      }
      int kept = 0;
      int first = size;
      int namesakes = 0;
      long identifier = table.identifier(callRows[call]);
      for (int i = 0; i < opened; i++) {
        int parent = open[i];
        if (parentEnd[parent] < start[call]) {
          continue;
        }
        open[kept++] = parent;
        if (parentRows[parent] == callRows[call]) {
          continue;
        }
        boolean namesake = named.names(parent, identifier);
        if (namesake && namesakes++ == 0) {
          size = first;
        }
        boolean there =
            namesake
                || (namesakes == 0
                    && parentStart[parent] <= blockStart[call]
                    && parentEnd[parent] >= blockEnd[call]);
        if (there) {
          if (size == found.length) {
            found = Arrays.copyOf(found, Math.multiplyExact(2, size));
          }
          found[size++] = parent;
        }
      }
      opened = kept;
      if (size - first > PRESENT_MAX) {
        size = first;
      }
      nested[call] = size - first == 1 && namesakes == 0;
      identified[call] = size - first == 1 && namesakes == 1;
      if (identified[call]) {
        named.countCall(found[first]);
      }
      from[call + 1] = size;
    }
    return Arrays.copyOf(found, size);
  }

  /** Leaves out whom classes and kinds exclude. */
  private int[] possible(int[] present, Affinities affinities) {
    int[] found = present.clone();
    int size = 0;
    int next = 0;
    for (int call = 0; call < callRows.length; call++) {
      int first = size;
      int end = from[call + 1];
      for (int i = next; i < end; i++) {
        double share = affinities.share(i, call);
        if (share >= Affinities.LEAST) {
          shares[size] = (float) share;
          found[size++] = present[i];
        }
      }
      if (size - first > CANDIDATES_MAX) {
        size = first;
      }
      next = end;
      from[call + 1] = size;
    }
    return Arrays.copyOf(found, size);
  }
}
