package org.terrace.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The progress of a reading of captures: bytes as they lie in the files, packets, and the requests
 * that were found in them. Thread-safe: one thread reads, any may look.
 */
public final class ReadProgress {
  /** The total where nobody knows it, as of standard input. */
  public static final long UNKNOWN = -1;

  /** Packets after which they are told. */
  static final int PACKETS_EACH = 1024;

  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong packets = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private volatile long totalBytes = UNKNOWN;

  /** The progress of a reading of which nothing is done yet. */
  public ReadProgress() {}

  /**
   * The state of a reading at a moment. Immutable.
   *
   * @param bytes bytes read so far
   * @param totalBytes bytes there are, or {@link #UNKNOWN}
   * @param packets packets read so far, but for the last thousand
   * @param requests requests found so far
   */
  public record State(long bytes, long totalBytes, long packets, long requests) {}

  /** Begins with nothing, as captures are read more than once that are compared first. */
  public void begin(long total) {
    totalBytes = total;
    bytes.set(0);
    packets.set(0);
    requests.set(0);
  }

  /** The state now. */
  public State now() {
    return new State(bytes.get(), totalBytes, packets.get(), requests.get());
  }

  /** Counts a request. */
  public void addRequest() {
    // Only the reader writes, so that no two additions meet.
    requests.lazySet(requests.getPlain() + 1);
  }

  void addPackets(long count) {
    packets.lazySet(packets.getPlain() + count);
  }

  private void addBytes(long count) {
    bytes.lazySet(bytes.getPlain() + Math.max(0, count));
  }

  /** The same stream, of which the bytes are counted. */
  InputStream counted(InputStream input) {
    return new FilterInputStream(input) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        addBytes(read < 0 ? 0 : 1);
        return read;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        addBytes(read);
        return read;
      }
    };
  }
}
