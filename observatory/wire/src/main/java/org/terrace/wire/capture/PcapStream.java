package org.terrace.wire.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

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
  static PcapStream open(InputStream input) {
    PcapStream stream = new PcapStream(input);
    while (stream.end < FILE_HEADER_BYTES) {
      if (!stream.fill()) {
        throw broken("it ended before it wrote anything", null);
      }
    }
    int magic = stream.buffer.getInt(0);
    if (magic != MAGIC_MICROS && magic != MAGIC_NANOS) {
      throw broken("it begins with %08x".formatted(magic), null);
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
        throw broken("a packet of " + captured + " bytes", null);
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

  private boolean fill() {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (end > BUFFER_BYTES / 2) {
      System.arraycopy(bytes, start, bytes, 0, end - start);
      end -= start;
      start = 0;
    }
    try {
      int count = input.read(bytes, end, BUFFER_BYTES - end);
      end += Math.max(count, 0);
      return count >= 0;
    } catch (IOException e) {
      throw broken(e.toString(), e);
    }
  }

  /** What is wrong with the program's stream, told apart from a file that cannot be written. */
  private static TerraceException broken(String what, @Nullable Throwable cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "capture: the capturing program's stream is not usable (%s): try the built-in capture"
            .formatted(what),
        cause);
  }
}
