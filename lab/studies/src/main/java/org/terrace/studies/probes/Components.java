package org.terrace.studies.probes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.terrace.core.Percentiles;
import org.terrace.core.RequestIdentity;

/**
 * The latency of each call and its two parts: the server's time and the middleware's, which is the
 * rest. A call that several replicas served has the server time of the one that was first done.
 * Calls with no row at a server, and rows with no call, are counted and left out.
 *
 * @param latencyNanos the client's latency of every matched call, in the order of its rows
 * @param serverNanos the time of the same calls at their server
 * @param middlewareNanos latency less server time; negative where probes were swapped or clocks
 *     have different units
 * @param unmatchedCalls calls of the client with no row at a server
 * @param unmatchedServerRows rows of servers whose call the client does not know
 * @param repeatedServerRows further rows of a call that had one: another replica, or a repetition
 */
public record Components(
    long[] latencyNanos,
    long[] serverNanos,
    long[] middlewareNanos,
    int unmatchedCalls,
    int unmatchedServerRows,
    int repeatedServerRows) {

  /** Matches the rows of a client and of servers by identity. O(rows). */
  public static Components of(ProbeRows client, ProbeRows servers) {
    Map<RequestIdentity, Integer> rowOf = new HashMap<>(2 * client.size());
    for (int row = 0; row < client.size(); row++) {
      rowOf.put(client.identities().get(row), row);
    }
    int[] served = new int[client.size()];
    Arrays.fill(served, -1);
    int unknown = 0;
    int repeated = 0;
    for (int row = 0; row < servers.size(); row++) {
      Integer call = rowOf.get(servers.identities().get(row));
      if (call == null) {
        unknown++;
      } else if (served[call] < 0) {
        served[call] = row;
      } else {
        repeated++;
        if (servers.endNanos()[row] < servers.endNanos()[served[call]]) {
          served[call] = row;
        }
      }
    }
    int matched = (int) Arrays.stream(served).filter(row -> row >= 0).count();
    long[] latency = new long[matched];
    long[] server = new long[matched];
    long[] middleware = new long[matched];
    int next = 0;
    for (int call = 0; call < served.length; call++) {
      int row = served[call];
      if (row >= 0) {
        latency[next] = client.endNanos()[call] - client.startNanos()[call];
        server[next] = servers.endNanos()[row] - servers.startNanos()[row];
        middleware[next] = latency[next] - server[next];
        next++;
      }
    }
    return new Components(latency, server, middleware, client.size() - matched, unknown, repeated);
  }

  /**
   * The outliers of the latency, split by the part that made them: the one whose excess over its
   * own median is the larger.
   *
   * @param thresholdNanos a latency above it is an outlier
   */
  public Split split(double thresholdNanos) {
    long serverMedian = median(serverNanos);
    long middlewareMedian = median(middlewareNanos);
    int server = 0;
    int middleware = 0;
    double serverExcess = 0;
    double middlewareExcess = 0;
    for (int i = 0; i < latencyNanos.length; i++) {
      if (latencyNanos[i] > thresholdNanos) {
        long ofServer = Math.max(0, serverNanos[i] - serverMedian);
        long ofMiddleware = Math.max(0, middlewareNanos[i] - middlewareMedian);
        serverExcess += ofServer;
        middlewareExcess += ofMiddleware;
        if (ofServer > ofMiddleware) {
          server++;
        } else {
          middleware++;
        }
      }
    }
    double excess = serverExcess + middlewareExcess;
    return new Split(
        server + middleware, server, middleware, excess > 0 ? serverExcess / excess : 0);
  }

  private static long median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : Percentiles.ofSorted(sorted, 50);
  }

  /**
   * Outliers by the part that made them.
   *
   * @param outliers how many there are
   * @param server how many the server made
   * @param middleware how many the middleware made
   * @param serverShareOfExcess the server's part of their time beyond the medians, 0 to 1
   */
  public record Split(int outliers, int server, int middleware, double serverShareOfExcess) {}
}
