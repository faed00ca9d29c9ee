package org.terrace.benchmarks.collections;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.core.TimeSource;
import org.terrace.load.Latencies;

/**
 * One client: gets and puts in equal shares, and thinks after each or does not.
 *
 * <p>With thinking, operations that begin in the counted time count. Without, those that end in it
 * do, and the latencies are of all that were under way in it: a client that waits all the time
 * behind others would otherwise leave no trace, and the fewer were served the better they would
 * look. Confined to one thread until that has ended.
 */
final class MixClient implements Runnable {
  private static final TimeSource TIME = TimeSource.system();

  private final SharedMap map;
  private final SplittableRandom random;
  private final long thinkNanos;
  private final long fromNanos;
  private final long endNanos;
  private final Latencies latencies = new Latencies();
  private long counted;
  private long operations;
  private long failures;

  /**
   * A client.
   *
   * @param map what it reads and writes
   * @param seed of what it draws
   * @param thinkNanos how long it thinks after each operation; 0 for not at all
   * @param fromNanos when the counted time begins
   * @param endNanos when it ends, and the client with it
   */
  MixClient(SharedMap map, long seed, long thinkNanos, long fromNanos, long endNanos) {
    this.map = map;
    this.random = new SplittableRandom(seed);
    this.thinkNanos = thinkNanos;
    this.fromNanos = fromNanos;
    this.endNanos = endNanos;
  }

  @Override
  public void run() {
    LockSupport.parkNanos(random.nextLong(Workload.THINK_NANOS));
    while (true) {
      String key = Workload.draw(random);
      boolean isRead = random.nextBoolean();
      long startNanos = TIME.elapsedNanos();
      if (startNanos >= endNanos) {
        return;
      }
      try {
        if (isRead && map.get(key) == null) {
          throw new IllegalStateException("an object is missing");
        } else if (!isRead) {
          map.put(key, Workload.anyContent(random));
        }
        count(startNanos, TIME.elapsedNanos());
      } catch (Exception e) {
        failures++;
      }
      operations++;
      if (thinkNanos > 0) {
        LockSupport.parkNanos(thinkNanos);
      }
    }
  }

  private void count(long startNanos, long nowNanos) {
    boolean began = startNanos >= fromNanos;
    boolean ended = nowNanos >= fromNanos && nowNanos < endNanos;
    if (thinkNanos > 0 ? began : nowNanos >= fromNanos) {
      latencies.add(nowNanos - startNanos);
    }
    counted += (thinkNanos > 0 ? began : ended) ? 1 : 0;
  }

  Latencies latencies() {
    return latencies;
  }

  /** Operations of the counted time. */
  long counted() {
    return counted;
  }

  /** Operations in all, failed ones and the warm-up's included. */
  long operations() {
    return operations;
  }

  long failures() {
    return failures;
  }
}
