package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.Percentiles;

/**
 * Elements added in turn by two servers at the end of one list, each after one of the other's: the
 * worst case for positions that have to be told apart. What an addition costs in the second fifth
 * is compared with the last; the first warms up. Confined to one thread.
 */
record AppendRun(Subject subject, Results results, Processes processes) {
  private static final int ELEMENTS = 100_000;
  private static final int ROUNDS = 5;
  private static final double MICROSECOND_NANOS = 1e3;
  private static final double MEGABYTE = 1e6;

  void measure() throws IOException {
    try (Cluster cluster = Cluster.start(subject, Place.SERVERS, processes)) {
      Map<Integer, Double> heapBytes = new HashMap<>();
      heapBytes.put(0, heapBytes(cluster));
      for (int round = 1; round <= ROUNDS; round++) {
        String part = round == ROUNDS ? "append-last-" : "append-" + round + "-";
        double sentBefore = Loopback.bytes();
        double micros = add(cluster, (round - 1) * ELEMENTS / ROUNDS, round * ELEMENTS / ROUNDS);
        double sent = Loopback.bytes() - sentBefore;
        double heapGrown = heapBytes(cluster) - heapBytes.get(0);
        results.add(subject, part + "p50", micros);
        results.add(subject, part + "wire", sent * ROUNDS / ELEMENTS);
        results.add(subject, part + "heap", heapGrown * ROUNDS / (round * ELEMENTS));
      }
    }
  }

  /** The median time of an addition, in microseconds. */
  private static double add(Cluster cluster, int from, int to) throws IOException {
    double[] nanos = new double[to - from];
    for (int index = from; index < to; index++) {
      nanos[index - from] =
          cluster.node(index % 2).ask("append " + index).getOrDefault("nanos", Double.NaN);
    }
    Arrays.sort(nanos);
    return Percentiles.ofSorted(nanos, 50) / MICROSECOND_NANOS;
  }

  private static double heapBytes(Cluster cluster) throws IOException {
    return cluster.node(0).ask("heap").getOrDefault("heap-mb", Double.NaN) * MEGABYTE;
  }
}
