package org.terrace.evidence.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of what a host shows: one file or several of the kernel. The first reading only remembers
 * its counters. Confined to one thread.
 */
abstract class HostSource implements AutoCloseable {
  private final List<OpenKernelFile> files = new ArrayList<>();
  private final long everyNanos;
  private long lastNanos;
  private boolean started;

  /**
   * @param everyMillis the shortest time between two readings; zero for as often as the host is
   *     watched
   */
  HostSource(int everyMillis) {
    everyNanos = everyMillis * 1_000_000L;
  }

  final OpenKernelFile open(Path path) throws IOException {
    OpenKernelFile file = new OpenKernelFile(path);
    files.add(file);
    return file;
  }

  /** Reads if it is time to, and tells the time since it was read before; zero if it was not. */
  final long readAt(long elapsedNanos, Readings readings) throws IOException {
    long passed = elapsedNanos - lastNanos;
    if (started && (passed <= 0 || passed < everyNanos)) {
      return 0;
    }
    read(started ? passed : 0, readings);
    lastNanos = elapsedNanos;
    boolean first = !started;
    started = true;
    return first ? 0 : passed;
  }

  /**
   * Reads now.
   *
   * @param passedNanos the time since the last reading; zero at the first, which tells nothing yet
   */
  abstract void read(long passedNanos, Readings readings) throws IOException;

  @Override
  public void close() {
    for (OpenKernelFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        // it was only read
      }
    }
  }
}
