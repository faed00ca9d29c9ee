package org.terrace.cluster.controller;

import java.io.IOException;
import java.io.OutputStream;
import org.terrace.core.TimeSource;

/**
 * An output to another process that tells for how long that has taken nothing of what is written. A
 * socket knows no time limit for writing: whoever watches this closes it. For one writer at a time;
 * {@link #isStuck} may be asked by any thread.
 */
final class WatchedOutput extends OutputStream {
  /** The bytes that must be taken within the time limit, so that a trickle counts as nothing. */
  static final int PART_BYTES = 64 << 10;

  private final OutputStream out;
  private final TimeSource time;
  private final Object lock = new Object();
  private boolean writing;
  private long sinceNanos;

  WatchedOutput(OutputStream out, TimeSource time) {
    this.out = out;
    this.time = time;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      for (int done = 0; done < length; done += PART_BYTES) {
        at(true);
        out.write(bytes, offset + done, Math.min(PART_BYTES, length - done));
      }
    } finally {
      at(false);
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  private void at(boolean part) {
    synchronized (lock) {
      writing = part;
      sinceNanos = time.elapsedNanos();
    }
  }

  /** Whether a part of what is written has waited for longer than this to be taken. */
  boolean isStuck(long limitNanos) {
    synchronized (lock) {
      return writing && time.elapsedNanos() - sinceNanos > limitNanos;
    }
  }
}
