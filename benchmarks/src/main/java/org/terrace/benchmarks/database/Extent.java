package org.terrace.benchmarks.database;

import java.time.Duration;

/**
 * The extent of a benchmark.
 *
 * @param rounds how often each subject is measured, in turn with the others
 * @param warm how long clients ask before it is measured
 * @param measured how long it is measured
 * @param readBlocks blocks of reads by each way
 * @param readsOfABlock reads of one block
 * @param behind how many writes a server has missed when it starts again
 */
record Extent(
    int rounds, Duration warm, Duration measured, int readBlocks, int readsOfABlock, int behind) {
  static Extent quick() {
    return new Extent(1, Duration.ofSeconds(2), Duration.ofSeconds(3), 5, 1_000, 1_000);
  }

  static Extent full() {
    return new Extent(3, Duration.ofSeconds(3), Duration.ofSeconds(8), 20, 2_000, 10_000);
  }
}
