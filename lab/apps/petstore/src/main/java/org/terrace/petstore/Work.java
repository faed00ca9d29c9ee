package org.terrace.petstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.core.TimeSource;

/**
 * The cost of a call: processor time, burned, and writes of 4 KB forced to disk, made.
 *
 * <p>Small variance: within a tenth of the mean, and always as many writes. Large: processor time
 * of a log-normal distribution with sigma 1, and a geometric number of writes, of the same means.
 * Thread-safe.
 */
final class Work implements AutoCloseable {
  private static final int WRITE_BYTES = 4_096;
  private static final int PLACES = 256;
  private static final double SMALL_SPREAD = 0.1;
  private static final double SIGMA = 1;
  private static final int LARGEST_FACTOR = 50;
  private static final long NANOS_PER_MICRO = 1_000;

  private final PetServiceKind kind;
  private final double meanNanos;
  private final int meanWrites;
  private final long seed;
  private final FileChannel scratch;
  private final TimeSource time = TimeSource.system();
  private final AtomicLong calls = new AtomicLong();

  private Work(
      PetServiceKind kind, int meanMicros, int meanWrites, long seed, FileChannel scratch) {
    this.kind = kind;
    this.meanNanos = (double) (meanMicros * NANOS_PER_MICRO);
    this.meanWrites = meanWrites;
    this.seed = seed;
    this.scratch = scratch;
  }

  /** Opens the scratch file of a service in that directory. */
  static Work open(PetServiceKind kind, int meanMicros, int meanWrites, long seed, Path directory)
      throws IOException {
    FileChannel scratch =
        FileChannel.open(
            directory.resolve(kind.service() + ".scratch"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    return new Work(kind, meanMicros, meanWrites, seed, scratch);
  }

  /** Does the work of one call. */
  void run() {
    RandomGenerator random =
        RandomGeneratorFactory.of("L64X128MixRandom").create(seed + calls.incrementAndGet());
    if (kind.usesProcessor()) {
      burn(processorNanos(random));
    }
    if (kind.usesDisk()) {
      for (int left = writes(random); left > 0; left--) {
        write(random.nextInt(PLACES));
      }
    }
  }

  long processorNanos(RandomGenerator random) {
    double factor =
        kind.variesMuch()
            ? Math.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2)
            : 1 + SMALL_SPREAD * (2 * random.nextDouble() - 1);
    return (long) (meanNanos * Math.min(LARGEST_FACTOR, factor));
  }

  /** At large variance, so many tries until one succeeds with probability 1/mean. */
  int writes(RandomGenerator random) {
    if (!kind.variesMuch() || meanWrites == 0) {
      return meanWrites;
    }
    int tries = 1;
    while (tries < LARGEST_FACTOR * meanWrites && random.nextInt(meanWrites) > 0) {
      tries++;
    }
    return tries;
  }

  private void burn(long nanos) {
    long endNanos = time.elapsedNanos() + nanos;
    while (time.elapsedNanos() < endNanos) {
      Thread.onSpinWait();
    }
  }

  private void write(int place) {
    try {
      scratch.write(ByteBuffer.allocate(WRITE_BYTES), (long) place * WRITE_BYTES);
      scratch.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The size of the scratch file. */
  long scratchBytes() throws IOException {
    return scratch.size();
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }
}
