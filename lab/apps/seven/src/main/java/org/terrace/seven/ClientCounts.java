package org.terrace.seven;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The outcomes of one client's measured calls, counted. Confined to the client's thread. */
final class ClientCounts {
  private final Map<String, Integer> methods = new HashMap<>();
  private final Map<String, Integer> refusals = new HashMap<>();
  private final long[] latencies;
  private int calls;
  int replied;
  int notExecuted;
  int unknown;
  int broken;

  /** Room for the latencies of so many calls. */
  ClientCounts(int calls) {
    latencies = new long[calls];
  }

  void count(String method, long latencyNanos) {
    latencies[calls++] = latencyNanos;
    methods.merge(method, 1, Integer::sum);
  }

  void countRefusal(String code) {
    refusals.merge(code, 1, Integer::sum);
  }

  /** Adds what is counted here, and the latencies from the given place on; tells the next place. */
  int addTo(Map<String, Integer> allMethods, Map<String, Integer> allRefusals, long[] all, int at) {
    methods.forEach((name, count) -> allMethods.merge(name, count, Integer::sum));
    refusals.forEach((code, count) -> allRefusals.merge(code, count, Integer::sum));
    System.arraycopy(latencies, 0, all, at, calls);
    return at + calls;
  }

  static Map<String, Integer> sorted() {
    return new TreeMap<>();
  }
}
