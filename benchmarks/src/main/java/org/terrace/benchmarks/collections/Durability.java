package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.terrace.benchmarks.collections.peers.SharedMap;

/**
 * The measurement of acknowledged puts that survive the kill of the process that made them. The
 * writer notes in a file that is mapped into memory, and so outlives it, how many puts of each of
 * its threads were acknowledged.
 *
 * @param map what is written
 */
record Durability(SharedMap map) {
  /** Threads that write. */
  static final int THREADS = 8;

  private static final int PUTS_OF_A_THREAD_MAX = 15_000;

  /** The number of acknowledged puts of each thread, in a file. */
  static LongBuffer acknowledged(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel
          .map(FileChannel.MapMode.READ_WRITE, 0, (long) THREADS * Long.BYTES)
          .order(ByteOrder.nativeOrder())
          .asLongBuffer();
    }
  }

  /** Begins to put keys of its own, in threads that go on until the process is killed. */
  Map<String, Double> burst(Path file) throws IOException {
    LongBuffer acknowledged = acknowledged(file);
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              for (int i = 0; i < PUTS_OF_A_THREAD_MAX; i++) {
                map.put(key(number, i), Workload.content(i));
                acknowledged.put(number, i + 1);
              }
            } catch (Exception e) {
              System.err.println("a writer has ended: " + e);
            }
          });
    }
    return Map.of();
  }

  /** The number of acknowledged puts that are not here; all, if what holds them is out of reach. */
  Map<String, Double> lost(Path file) throws IOException {
    LongBuffer acknowledged = acknowledged(file);
    double lost = 0;
    double all = 0;
    boolean reachable = true;
    for (int thread = 0; thread < THREADS; thread++) {
      for (int i = 0; i < acknowledged.get(thread); i++) {
        all++;
        try {
          lost += !reachable || map.get(key(thread, i)) == null ? 1 : 0;
        } catch (Exception e) {
          System.err.println("an acknowledged put cannot be read: " + e);
          reachable = false;
          lost++;
        }
      }
    }
    return Map.of("acknowledged", all, "lost", lost);
  }

  private static String key(int thread, int number) {
    return "burst-" + thread + "-" + number;
  }
}
