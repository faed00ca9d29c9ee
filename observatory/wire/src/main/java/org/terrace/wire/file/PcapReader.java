package org.terrace.wire.file;

import static org.terrace.wire.file.PcapFormat.FILE_HEADER_BYTES;
import static org.terrace.wire.file.PcapFormat.LINK_TYPE;
import static org.terrace.wire.file.PcapFormat.LINK_TYPE_MASK;
import static org.terrace.wire.file.PcapFormat.LONG_RECORD_HEADER_BYTES;
import static org.terrace.wire.file.PcapFormat.MAGIC_LONG_HEADERS;
import static org.terrace.wire.file.PcapFormat.MAGIC_MICROS;
import static org.terrace.wire.file.PcapFormat.MAGIC_NANOS;
import static org.terrace.wire.file.PcapFormat.RECORD_HEADER_BYTES;

import org.jspecify.annotations.Nullable;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * Reads classic pcap in both byte orders, with micro- or nanoseconds, and the variant with longer
 * record headers (Kuznetzov's). After a damaged record it searches for the next place where two
 * believable headers follow each other. Confined to one thread.
 */
final class PcapReader implements RecordReader {

  /** The most seconds between the times of neighbours, where the reader searches for a header. */
  private static final long NEIGHBOUR_SECONDS_MAX = 86_400;

  private final ByteWindow window;
  private final Counters counters;
  private final boolean littleEndian;
  private final int recordHeaderBytes;
  private final int fractionsPerSecond;
  private final int linkType;
  private final DropTimes drops = new DropTimes();
  private long lastSeconds = -1;
  private boolean searching;

  private PcapReader(ByteWindow window, Counters counters, int magic, boolean littleEndian) {
    this.window = window;
    this.counters = counters;
    this.littleEndian = littleEndian;
    recordHeaderBytes =
        magic == MAGIC_LONG_HEADERS ? LONG_RECORD_HEADER_BYTES : RECORD_HEADER_BYTES;
    fractionsPerSecond = magic == MAGIC_NANOS ? 1_000_000_000 : 1_000_000;
    linkType = (int) u32(LINK_TYPE) & LINK_TYPE_MASK;
    window.advance(FILE_HEADER_BYTES);
  }

  /** Whether the stream begins as a pcap file does. */
  static boolean recognises(ByteWindow window) {
    if (!window.require(4)) {
      return false;
    }
    int magic = Bytes.i32(window.bytes(), window.index());
    return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
  }

  /** A reader of a recognised stream, or null when its header is cut short. */
  static @Nullable PcapReader open(ByteWindow window, Counters counters) {
    if (!window.require(FILE_HEADER_BYTES)) {
      return null;
    }
    int magic = Bytes.i32(window.bytes(), window.index());
    boolean little = !isMagic(magic);
    return new PcapReader(window, counters, little ? Integer.reverseBytes(magic) : magic, little);
  }

  private static boolean isMagic(int magic) {
    return magic == MAGIC_MICROS || magic == MAGIC_NANOS || magic == MAGIC_LONG_HEADERS;
  }

  @Override
  public Step read(PacketRecord record) {
    if (searching) {
      return search();
    }
    if (!window.require(recordHeaderBytes)) {
      return end();
    }
    long captured = u32(8);
    if (!believable(0)) {
      counters.increment(WireCount.DAMAGED_RECORDS);
      searching = true;
      return Step.OTHER;
    }
    if (!window.require(recordHeaderBytes + (int) captured)) {
      return end();
    }
    long seconds = u32(0);
    record.timeNanos = seconds * 1_000_000_000L + u32(4) * (1_000_000_000 / fractionsPerSecond);
    record.position = window.position() + recordHeaderBytes;
    record.capturedBytes = (int) captured;
    record.wireBytes = (int) Math.min(Math.max(captured, u32(12)), Integer.MAX_VALUE);
    record.linkType = linkType;
    lastSeconds = seconds;
    window.advance(recordHeaderBytes + (int) captured);
    return Step.PACKET;
  }

  private Step end() {
    if (window.available() > 0) {
      counters.increment(WireCount.TRUNCATED_FILES);
      window.advance(window.available());
    }
    return Step.END;
  }

  @Override
  public long droppedPackets() {
    return 0;
  }

  @Override
  public DropTimes drops() {
    return drops;
  }

  private boolean believable(int at) {
    return u32(at + 4) < fractionsPerSecond && u32(at + 8) <= PACKET_BYTES_MAX;
  }

  private boolean believableNeighbour(int at) {
    return believable(at)
        && u32(at + 8) <= u32(at + 12)
        && u32(at + 12) <= PACKET_BYTES_MAX
        && u32(at + 8) > 0
        && (lastSeconds < 0 || Math.abs(u32(at) - lastSeconds) <= NEIGHBOUR_SECONDS_MAX);
  }

  private Step search() {
    long from = window.position();
    while (searching && window.position() - from < SEARCH_BYTES_MAX) {
      if (!window.require(recordHeaderBytes + 1)) {
        window.advance(window.available());
        counters.add(WireCount.SKIPPED_BYTES, window.position() - from);
        return Step.END;
      }
      window.advance(1);
      searching = !(believableNeighbour(0) && followedByHeader());
    }
    counters.add(WireCount.SKIPPED_BYTES, window.position() - from);
    return Step.OTHER;
  }

  private boolean followedByHeader() {
    int next = recordHeaderBytes + (int) u32(8);
    if (window.require(next + recordHeaderBytes)) {
      return believableNeighbour(next);
    }
    return window.available() == next;
  }

  private long u32(int at) {
    int value = Bytes.i32(window.bytes(), window.index() + at);
    return (littleEndian ? Integer.reverseBytes(value) : value) & 0xffff_ffffL;
  }
}
