package org.terrace.nodes.machine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.Deflater;

/**
 * The speed of one core of this machine, by the processor time that a fixed piece of work takes:
 * the compression of a fixed text, done by native code, so that neither the compilers of the JVM
 * nor other programs change it much. Stateless.
 */
public final class ProcessorSpeed {
  /** The processor time of the work on the machine whose cores calibrated limits count in. */
  static final long REFERENCE_NANOS = 50_000_000L;

  /** Beyond these factors the work says nothing of a server's. */
  static final double LEAST = 0.2;

  static final double MOST = 5;

  private static final int TEXT_BYTES = 1 << 20;
  private static final int LETTERS = 24;
  private static final int LEVEL = 6;
  private static final int ROUNDS = 5;
  private static final long SEED = 1;

  private ProcessorSpeed() {}

  /**
   * The multiple of the reference machine's time that this machine takes, {@value #LEAST} to
   * {@value #MOST}; takes about half a second. The quickest of {@value #ROUNDS} rounds counts,
   * since other programs only make a round slower.
   */
  public static double slowdown() {
    return Math.clamp((double) workNanos() / REFERENCE_NANOS, LEAST, MOST);
  }

  /** The processor time of a virtual thread is not known, so another one does the work. */
  static long workNanos() {
    return CompletableFuture.supplyAsync(
            ProcessorSpeed::ownWorkNanos, work -> Thread.ofPlatform().daemon().start(work))
        .join();
  }

  private static long ownWorkNanos() {
    byte[] text = text();
    byte[] packed = new byte[2 * TEXT_BYTES];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadCpuTime();
      try (Deflater deflater = new Deflater(LEVEL)) {
        deflater.setInput(text);
        deflater.finish();
        deflater.deflate(packed);
      }
      least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
    }
    return least;
  }

  private static byte[] text() {
    // The generator is specified, so that the text is the same everywhere.
    Random random = new Random(SEED);
    byte[] text = new byte[TEXT_BYTES];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + Math.min(random.nextInt(LETTERS), random.nextInt(LETTERS)));
    }
    return text;
  }
}
