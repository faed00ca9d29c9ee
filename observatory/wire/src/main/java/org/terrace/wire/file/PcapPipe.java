package org.terrace.wire.file;

import static org.terrace.wire.file.PcapFormat.FILE_HEADER_BYTES;
import static org.terrace.wire.file.PcapFormat.LINK_TYPE;
import static org.terrace.wire.file.PcapFormat.MAGIC_MICROS;
import static org.terrace.wire.file.PcapFormat.MAGIC_NANOS;
import static org.terrace.wire.file.PcapFormat.RECORD_HEADER_BYTES;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The pcap stream that a capturing program of this machine writes to its standard output: native
 * byte order, microseconds or nanoseconds. Files, and captures of other origin, are read by {@link
 * PcapReader}. Confined to one thread.
 */
public final class PcapPipe implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long NANOS_A_SECOND = 1_000_000_000L;

  private final InputStream input;
  private final byte[] bytes = new byte[BUFFER_BYTES];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  private int start;
  private int end;
  private int nanosATick;
  private int linkType;

  private PcapPipe(InputStream input) {
    this.input = input;
  }

  /** Reads the file header; waits until the program has written it. */
  public static PcapPipe open(InputStream input) {
    PcapPipe stream = new PcapPipe(input);
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
    stream.linkType = stream.buffer.getInt(LINK_TYPE) & PcapFormat.LINK_TYPE_MASK;
    stream.start = FILE_HEADER_BYTES;
    return stream;
  }

  /** The link-layer type, as in pcap's list. */
  public int linkType() {
    return linkType;
  }

  /** True when the program has nothing more to give at the moment. */
  public boolean isIdle() throws IOException {
    return input.available() == 0;
  }

  /** Waits for packets and adds them to the file; false when the stream has ended. */
  public boolean copyAvailable(PcapngWriter file) throws IOException {
    if (!fill()) {
      return false;
    }
    while (end - start >= RECORD_HEADER_BYTES) {
      int captured = buffer.getInt(start + 8);
      if (captured < 0 || captured > RecordReader.PACKET_BYTES_MAX) {
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

  /** The error of a program's stream, told apart from that of a file that cannot be written. */
  private static TerraceException broken(String what, @Nullable Throwable cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "capture: the capturing program's stream is not usable (%s): try the built-in capture"
            .formatted(what),
        cause);
  }
}
