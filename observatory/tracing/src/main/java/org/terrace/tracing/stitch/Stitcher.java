package org.terrace.tracing.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.observation.TraceContext;

/**
 * The way from requests to transactions: for each request that an observed server sent, the one
 * request at that server for which it did, if enough tells. A parent is asserted only where its
 * probability is at least {@value #ASSERTED}; a wrong one is worse than none. The rows that clients
 * measured themselves are neither looked at nor changed.
 *
 * <p>A pure function: the same table gives the same result. Single-threaded.
 */
public final class Stitcher {
  /** The calls of a table that is stitched at all: as many take minutes. */
  public static final int CALLS_MAX = 2_000_000;

  /** The least probability of a parent among others that is asserted. */
  public static final double ASSERTED = 0.985;

  /** The least probability of a parent where no other was there. */
  private static final double ASSERTED_ALONE = 0.95;

  /**
   * The greatest confidence where others were possible: draws do not tell less than their number.
   */
  private static final double SURE = 0.995;

  /** The calls within calls that are followed. */
  private static final int DEPTH_MAX = 100;

  /**
   * The least probability among others where less than {@link #OFTEN} of a kind reach the usual.
   */
  private static final double ASSERTED_SELDOM = 0.995;

  private static final double OFTEN = 0.25;

  /** The share below which no parent among others is asserted. */
  private static final double SELDOM = 0.05;

  /** The logarithm from which on values count as what told a parent: twenty to one. */
  private static final double TELLING = 3;

  private static final long SEED = 0x5eed_0f_57_17c4L;

  private final RequestTable table;
  private final Parents parents;

  private Stitcher(RequestTable table) {
    this.table = table;
    parents = new Parents(table.size());
  }

  /** The same requests with their places in transactions; a table that has some is left alone. */
  public static RequestTable stitch(RequestTable table) {
    if (isStitched(table)) {
      return table;
    }
    return numbered(table, parentsOf(table));
  }

  /** Whether any row of a table has a place in a transaction. */
  public static boolean isStitched(RequestTable table) {
    for (int row = 0; row < table.size(); row++) {
      if (table.trace(row) != null) {
        return true;
      }
    }
    return false;
  }

  /** Whether a table has more calls between its servers than are stitched. */
  public static boolean isTooLarge(RequestTable table) {
    int[] callers = callers(table);
    long calls = 0;
    for (int row = 0; row < table.size(); row++) {
      calls += callers[table.client(row)] >= 0 ? 1 : 0;
    }
    return calls > CALLS_MAX;
  }

  /** The server that each client is; -1 for one that is none. */
  private static int[] callers(RequestTable table) {
    return table.clients().stream()
        .mapToInt(name -> name.equals(Server.CLIENTS) ? -1 : table.servers().indexOf(name))
        .toArray();
  }

  /** The parents of all rows. */
  static Parents parentsOf(RequestTable table) {
    Stitcher stitcher = new Stitcher(table);
    List<List<Integer>> requests = new ArrayList<>();
    List<List<Integer>> calls = new ArrayList<>();
    table.servers().forEach(server -> requests.add(new ArrayList<>()));
    table.servers().forEach(server -> calls.add(new ArrayList<>()));
    int[] callers = callers(table);
    int clients = table.servers().indexOf(Server.CLIENTS);
    for (int row = 0; row < table.size(); row++) {
      int caller = callers[table.client(row)];
      requests.get(table.server(row)).add(row);
      if (caller >= 0 && table.server(row) != clients) {
        calls.get(caller).add(row);
      }
    }
    for (int server = 0; server < requests.size(); server++) {
      if (!calls.get(server).isEmpty()) {
        stitcher.caller(rows(requests.get(server)), rows(calls.get(server)));
      }
    }
    return stitcher.parents;
  }

  private static int[] rows(List<Integer> rows) {
    return rows.stream().mapToInt(Integer::intValue).toArray();
  }

  private void caller(int[] requests, int[] rows) {
    CallerCalls calls = new CallerCalls(table, requests, rows);
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    float[] probabilities = new ParentSampler(calls, random).probabilities();
    int[] best = new int[calls.calls()];
    int[] all = new int[calls.kinds];
    int[] told = new int[calls.kinds];
    for (int call = 0; call < calls.calls(); call++) {
      best[call] = -1;
      for (int i = calls.from[call]; i < calls.from[call + 1]; i++) {
        boolean better = best[call] < 0 || probabilities[i] > probabilities[best[call]];
        best[call] = better ? i : best[call];
      }
      all[calls.kind[call]]++;
      told[calls.kind[call]] += best[call] >= 0 && probabilities[best[call]] >= ASSERTED ? 1 : 0;
    }
    for (int call = 0; call < calls.calls(); call++) {
      boolean alone = calls.nested[call] || calls.identified[call];
      int kind = calls.kind[call];
      double least = alone ? ASSERTED_ALONE : least(told[kind] / (double) all[kind]);
      if (best[call] < 0 || probabilities[best[call]] < least) {
        parents.unknown(rows[call]);
        continue;
      }
      int parent = requests[calls.candidates[best[call]]];
      double probability = probabilities[best[call]];
      parents.known(
          rows[call],
          parent,
          alone ? probability : Math.min(probability, SURE),
          evidence(calls, call, calls.candidates[best[call]], parent));
    }
  }

  /**
   * The least probability of a parent among others, of a kind of calls of which a share has a
   * parent of the usual probability: where it is small, habits were learned from little that is
   * certain.
   */
  private static double least(double share) {
    if (share < SELDOM) {
      return Double.POSITIVE_INFINITY;
    }
    return share < OFTEN ? ASSERTED_SELDOM : ASSERTED;
  }

  private ParentEvidence evidence(CallerCalls calls, int call, int candidate, int parent) {
    if (calls.identified[call]) {
      return ParentEvidence.IDENTIFIER;
    }
    if (calls.nested[call]) {
      return ParentEvidence.NESTING;
    }
    if (calls.values.log(call, candidate) > TELLING) {
      return ParentEvidence.VALUE;
    }
    int before = calls.before[call];
    return before >= 0 && parents.row[calls.callRows[before]] == parent
        ? ParentEvidence.CONNECTION
        : ParentEvidence.TIMING;
  }

  private static RequestTable numbered(RequestTable table, Parents parents) {
    long[] transaction = new long[table.size()];
    double[] confidence = new double[table.size()];
    Arrays.fill(transaction, -1);
    RequestTable.Builder builder = new RequestTable.Builder();
    int clients = table.servers().indexOf(Server.CLIENTS);
    for (int row = 0; row < table.size(); row++) {
      Request request = table.request(row);
      if (table.server(row) == clients) {
        builder.accept(request);
        continue;
      }
      follow(row, parents, transaction, confidence);
      int parent = parents.row[row];
      builder.accept(
          request.withTrace(
              new TraceContext(
                  transaction[row],
                  row + 1L,
                  parent < 0 ? TraceContext.NO_PARENT : parent + 1L,
                  confidence[row],
                  parents.evidence[row].source())));
    }
    return builder.build();
  }

  /** Numbers the transaction of a row and of its ancestors. */
  private static void follow(int row, Parents parents, long[] transaction, double[] confidence) {
    int[] path = new int[DEPTH_MAX];
    int depth = 0;
    int at = row;
    while (transaction[at] < 0 && parents.row[at] >= 0 && depth < DEPTH_MAX) {
      path[depth++] = at;
      at = parents.row[at];
    }
    if (transaction[at] < 0) {
      transaction[at] = at + 1L;
      confidence[at] = parents.confidence[at];
      if (parents.row[at] >= 0) {
        // Requests that lie exactly within one another may seem to call each other in a circle.
        parents.unknown(at);
      }
    }
    while (depth > 0) {
      int above = at;
      at = path[--depth];
      transaction[at] = transaction[above];
      confidence[at] =
          parents.confidence[at] * (parents.row[above] == Parents.UNKNOWN ? 1 : confidence[above]);
    }
  }
}
