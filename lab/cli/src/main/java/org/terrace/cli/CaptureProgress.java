package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.terrace.cli.output.MemoryShortage;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.wire.ReadProgress;

/**
 * Tells while captures are read how far that is, line after line, and what there was when the
 * memory ended. Lines come whether or not packets do, so that one sees a standard input that is
 * silent. Confined to one thread, but for the one that tells.
 */
final class CaptureProgress implements AutoCloseable {
  /** The time between lines where each stays. */
  static final long LINE_MILLIS = 10_000;

  /** The time between lines where each replaces the one before it. */
  static final long TERMINAL_MILLIS = 250;

  private static final double MEGABYTE = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ReadProgress progress = new ReadProgress();
  private final TimeSource time;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Path> inputs;
  private final Thread teller;
  private String phase = "reading";
  private long beforeBytes;
  private long beforeNanos;

  /**
   * Begins to tell.
   *
   * @param inputs what is read
   * @param everyMillis the time between two lines
   * @param line takes each line, on a thread of its own
   */
  CaptureProgress(List<Path> inputs, TimeSource time, long everyMillis, Consumer<String> line) {
    this.inputs = List.copyOf(inputs);
    this.time = time;
    beforeNanos = time.elapsedNanos();
    teller =
        Thread.ofVirtual()
            .name("capture-progress")
            .start(() -> {
              try {
                while (!closed.await(everyMillis, TimeUnit.MILLISECONDS)) {
                  line.accept(next());
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (OutOfMemoryError e) {
                // Whoever reads fails of the same and says so.
                closed.countDown();
              }
            });
  }

  /** The counts of what was read, for whoever reads. */
  ReadProgress reading() {
    return progress;
  }

  /** All captures are read from their beginning on. */
  void begin(String what) {
    synchronized (this) {
      phase = what;
      beforeBytes = 0;
      beforeNanos = time.elapsedNanos();
      progress.begin(total(inputs));
    }
  }

  /** The captures are read; something else is done with what they held. */
  synchronized void goesOn(String what) {
    phase = what;
    closed.countDown();
  }

  private static long total(List<Path> inputs) {
    long total = 0;
    for (Path input : inputs) {
      try {
        if (!Files.isRegularFile(input)) {
          return ReadProgress.UNKNOWN;
        }
        total += Files.size(input);
      } catch (IOException e) {
        // Reading it will say why.
        return ReadProgress.UNKNOWN;
      }
    }
    return total;
  }

  /** The next line, with the rate since the one before it. */
  synchronized String next() {
    ReadProgress.State state = progress.now();
    long nanos = time.elapsedNanos();
    double seconds = Math.max(1e-3, (nanos - beforeNanos) / NANOS_PER_SECOND);
    double rate = Math.max(0, state.bytes() - beforeBytes) / seconds / MEGABYTE;
    beforeBytes = state.bytes();
    beforeNanos = nanos;
    return String.format(Locale.ROOT, "  %s: %s, %,.0f MB/s", phase, text(state), rate);
  }

  private static String text(ReadProgress.State state) {
    String bytes =
        state.totalBytes() <= 0
            ? String.format(Locale.ROOT, "%,.1f MB", state.bytes() / MEGABYTE)
            : String.format(
                Locale.ROOT,
                "%,.1f of %,.1f MB (%d %%)",
                state.bytes() / MEGABYTE,
                state.totalBytes() / MEGABYTE,
                Math.min(100, 100 * state.bytes() / state.totalBytes()));
    return String.format(
        Locale.ROOT, "%s, %,d packets, %,d requests", bytes, state.packets(), state.requests());
  }

  /** The failure to end with when the memory ends. */
  synchronized TerraceException shortOfMemory(OutOfMemoryError cause) {
    ReadProgress.State state = progress.now();
    // Half of what filled the memory leaves room for the analysis.
    long part = Math.max(1_000, state.packets() / 2);
    return MemoryShortage.of(
        inputs,
        phase + ", after " + text(state),
        "a part: split the capture (editcap -c "
            + part
            + " IN.pcap PART.pcap), or keep some servers alone (tcpdump -r IN.pcap -w PART.pcap"
            + " 'tcp port 5432')",
        cause);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      teller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
