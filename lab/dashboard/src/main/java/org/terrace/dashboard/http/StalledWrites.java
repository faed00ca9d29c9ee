package org.terrace.dashboard.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.terrace.core.TimeSource;

/**
 * The writes to readers, and the end of those that stand still: a reader has {@value #SECONDS} s to
 * take each {@value #PIECE_BYTES} bytes, and is cut off then. Thread-safe.
 */
final class StalledWrites {
  /** The time in which a reader has to take a piece. */
  static final int SECONDS = 10;

  /** The bytes of a piece. */
  static final int PIECE_BYTES = 64 << 10;

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final TimeSource time;
  private final Map<Thread, Long> since = new ConcurrentHashMap<>();

  StalledWrites(TimeSource time) {
    this.time = time;
  }

  /** Looks after the writes until the server stops. */
  void watch(BooleanSupplier stopping) {
    while (!stopping.getAsBoolean()) {
      long now = time.elapsedNanos();
      since.forEach((thread, start) -> {
        if (now - start > Duration.ofSeconds(SECONDS).toNanos()) {
          thread.interrupt(); // which closes the channel that it writes to
        }
      });
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** The same stream, each of whose writes is looked after. */
  OutputStream over(OutputStream output) {
    return new Watched(output);
  }

  private final class Watched extends FilterOutputStream {
    Watched(OutputStream output) {
      super(output);
    }

    private interface Step {
      void run() throws IOException;
    }

    private void watched(Step step) throws IOException {
      since.put(Thread.currentThread(), time.elapsedNanos());
      try {
        step.run();
      } finally {
        since.remove(Thread.currentThread());
      }
    }

    @Override
    public void write(int single) throws IOException {
      watched(() -> out.write(single));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      for (int done = 0; done < length; done += PIECE_BYTES) {
        int start = from + done;
        int piece = Math.min(PIECE_BYTES, length - done);
        watched(() -> out.write(bytes, start, piece));
      }
    }

    @Override
    public void flush() throws IOException {
      watched(out::flush);
    }

    @Override
    public void close() throws IOException {
      watched(out::close);
    }
  }
}
