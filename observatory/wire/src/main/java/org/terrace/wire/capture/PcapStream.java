package org.terrace.wire.capture;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The pcap stream that a capturing program of this machine writes to its standard output: native
 * byte order, microseconds or nanoseconds. Captures of other origin are read by {@code
 * org.terrace.wire}. Confined to one thread.
 */
final class PcapStream implements AutoCloseable {
  private static final int MAGIC_MICROS = 0xa1b2c3d4;
  private static final int MAGIC_NANOS = 0xa1b23c4d;
  private static final int FILE_HEADER_BYTES = 24;
  private static final int LINK_TYPE = 20;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long NANOS_A_SECOND = 1_000_000_000L;

  private final InputStream input;
  private final byte[] bytes = new byte[BUFFER_BYTES];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  private int start;
  private int end;
  private int nanosATick;
  private int linkType;

  private PcapStream(InputStream input) {
    this.input = input;
  }

  /** Reads the file header; waits until the program has written it. */
  static PcapStream open(InputStream input) throws IOException {
    PcapStream stream = new PcapStream(input);
    while (stream.end < FILE_HEADER_BYTES) {
      if (!stream.fill()) {
        throw new EOFException("the capturing program ended before it wrote anything");
      }
    }
    int magic = stream.buffer.getInt(0);
    if (magic != MAGIC_MICROS && magic != MAGIC_NANOS) {
      throw new IOException("not a pcap stream: it begins with %08x".formatted(magic));
    }
    stream.nanosATick = magic == MAGIC_NANOS ? 1 : 1000;
    stream.linkType = stream.buffer.getInt(LINK_TYPE) & 0xffff;
    stream.start = FILE_HEADER_BYTES;
    return stream;
  }

  int linkType() {
    return linkType;
  }

  /** True when the program has nothing more to give at the moment. */
  boolean isIdle() throws IOException {
    return input.available() == 0;
  }

  /** Waits for packets and adds them to the file; false when the stream has ended. */
  boolean copyAvailable(PcapngFile file) throws IOException {
    if (!fill()) {
      return false;
    }
    while (end - start >= RECORD_HEADER_BYTES) {
      int captured = buffer.getInt(start + 8);
      if (captured < 0 || captured > CaptureOptions.MAXIMUM_SNAP_LENGTH) {
        throw new IOException("the capturing program wrote a packet of " + captured + " bytes");
      }
      if (end - start < RECORD_HEADER_BYTES + captured) {
        break;
      }
      long seconds = Integer.toUnsignedLong(buffer.getInt(start));
      long fraction = Integer.toUnsignedLong(buffer.getInt(start + 4)) * nanosATick;
      file.packet(
          seconds * NANOS_A_SECOND + fraction,
          buffer,
          start + RECORD_HEADER_BYTES,
          captured,
          buffer.getInt(start + 12));
      start += RECORD_HEADER_BYTES + captured;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }

  private boolean fill() throws IOException {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (end > BUFFER_BYTES / 2) {
      System.arraycopy(bytes, start, bytes, 0, end - start);
      end -= start;
      start = 0;
    }
    int count = input.read(bytes, end, BUFFER_BYTES - end);
    if (count < 0) {
      return false;
    }
    end += count;
    return true;
  }
}
