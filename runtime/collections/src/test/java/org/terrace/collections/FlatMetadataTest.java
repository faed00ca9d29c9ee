package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Depth;

/**
 * The traces that puts and removals leave behind: none. {@code terrace prove collections --churn
 * 10000000} does the same on real processes.
 */
class FlatMetadataTest {
  private static final int TIMES = Depth.of(200_000, 20_000);
  private static final int PART = TIMES / 10;
  private static final int BATCH = 100;
  private static final int KEYS = 64;
  private static final long HEAP_SLACK_BYTES = 16L << 20;

  @Test
  void manyPutsAndRemovalsLeaveNothingBehind() {
    Replicas replicas = new Replicas(2);
    ReplicatedMap<String, String> map =
        replicas.get(0).map("map", MapOptions.of(Codecs.string(), Codecs.string()));
    long firstHeap = 0;
    for (int i = 1; i <= TIMES; i++) {
      String key = "k" + i % KEYS;
      map.putAsync(key, "value" + i);
      map.removeAsync(key);
      if (i % BATCH == 0) {
        replicas.simulation.runFor(SimulatedCluster.MILLI);
      }
      if (i % PART == 0) {
        replicas.simulation.runFor(SimulatedCluster.SECOND);
        replicas.converge();
        long heap = usedHeapAfterCollection();
        firstHeap = firstHeap == 0 ? heap : firstHeap;
        for (ReplicatedCollections replica : replicas.all) {
          CollectionsMetrics metrics = replica.metrics();
          assertThat(metrics.entries()).isZero();
          assertThat(metrics.writers()).isEqualTo(1);
          assertThat(metrics.gaps()).isZero();
          assertThat(metrics.supersededAhead()).isZero();
          assertThat(metrics.logUpdates()).isZero();
          assertThat(metrics.writesWaiting()).isZero();
        }
        assertThat(heap).as("heap after %d", i).isLessThan(firstHeap + HEAP_SLACK_BYTES);
      }
    }
    System.out.printf(
        "%,d put-and-remove: 0 entries, 1 writer, 0 bytes of log, heap %,d KB after %,d and %,d KB"
            + " at the end%n",
        TIMES, firstHeap >> 10, PART, usedHeapAfterCollection() >> 10);
  }

  private static long usedHeapAfterCollection() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
