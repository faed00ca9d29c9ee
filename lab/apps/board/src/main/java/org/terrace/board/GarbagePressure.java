package org.terrace.board;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/**
 * Makes the garbage collector work as a leaking or wasteful program would: a large graph of small
 * live objects whose parts are replaced all the time, so that young collections copy much and the
 * old generation fills and has to be collected whole, again and again.
 *
 * <p>The graph takes a part of the heap that is free at the start, half where nothing else was
 * said. What is allocated is paced, so that the pauses come from the collector rather than from the
 * processor time of the maker, which is about a fifth of a core.
 */
final class GarbagePressure {
  private static final int NODES_PER_CHAIN = 1_000;

  /** A node on a heap with compressed references, rounded up to eight bytes. */
  private static final int BYTES_PER_NODE = 48;

  private static final long BYTES_PER_SECOND = 200L << 20;
  private static final long LEAST_LIVE_BYTES = 4L << 20;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A link of a chain; the numbers make it as large as a usual small object. */
  private record Node(@Nullable Node next, long first, long second, long third, long fourth) {}

  /** The part of the free heap that stays alive where nothing else was said. */
  static final double USUAL_PART = 0.5;

  private GarbagePressure() {}

  /**
   * Makes garbage for so long.
   *
   * @param livePart the part of the free heap that stays alive, above 0 and below 1
   * @return the number of nodes made
   */
  static long make(Duration length, double livePart, TimeSource time) throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    long live = Math.max(LEAST_LIVE_BYTES, Math.round(free * livePart));
    @Nullable Node[] chains = new Node[(int) (live / BYTES_PER_NODE / NODES_PER_CHAIN)];
    SplittableRandom random = new SplittableRandom(1);
    long start = time.elapsedNanos();
    long nodes = 0;
    try {
      for (long elapsed = 0; elapsed < length.toNanos(); elapsed = time.elapsedNanos() - start) {
        chains[random.nextInt(chains.length)] = chain();
        nodes += NODES_PER_CHAIN;
        long dueNanos = nodes * BYTES_PER_NODE * NANOS_PER_SECOND / BYTES_PER_SECOND;
        if (dueNanos > elapsed) {
          LockSupport.parkNanos(dueNanos - elapsed);
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      return nodes;
    } finally {
      Reference.reachabilityFence(chains);
    }
  }

  private static @Nullable Node chain() {
    Node chain = null;
    for (int i = 0; i < NODES_PER_CHAIN; i++) {
      chain = new Node(chain, i, i, i, i);
    }
    return chain;
  }
}
