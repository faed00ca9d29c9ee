package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.BYTE_ORDER_MAGIC;
import static org.terrace.wire.file.PcapngFormat.DECRYPTION_SECRETS;
import static org.terrace.wire.file.PcapngFormat.ENHANCED_PACKET;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_DESCRIPTION;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_STATISTICS;
import static org.terrace.wire.file.PcapngFormat.NAME_RESOLUTION;
import static org.terrace.wire.file.PcapngFormat.OBSOLETE_PACKET;
import static org.terrace.wire.file.PcapngFormat.PACKET_DROP_COUNT;
import static org.terrace.wire.file.PcapngFormat.PACKET_HEADER_BYTES;
import static org.terrace.wire.file.PcapngFormat.SECTION_HEADER;
import static org.terrace.wire.file.PcapngFormat.SIMPLE_PACKET;

import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * Reads pcapng (IETF draft-ietf-opsawg-pcapng): sections of either byte order, packets of any
 * interface, names, drop counts and the key logs of TLS; passes over blocks of other kinds. After a
 * damaged block it searches for the next block whose two length fields agree. Confined to one
 * thread.
 */
final class PcapngReader implements RecordReader {

  private static final long NEVER = Long.MIN_VALUE;
  private static final int BLOCK_BYTES_MIN = 12;
  private static final int BLOCK_BYTES_MAX = PACKET_BYTES_MAX + (64 << 10);

  private final ByteWindow window;
  private final Counters counters;
  private final HostNames names;
  private final SecretsBlock secrets;
  private CaptureInterfaces interfaces = new CaptureInterfaces();
  private boolean littleEndian;
  private boolean searching;
  private long droppedBefore;
  private long lastTimeNanos;
  private long firstTimeNanos = NEVER;
  private long statisticsNanos = NEVER;
  private final DropTimes drops = new DropTimes();

  PcapngReader(ByteWindow window, Counters counters, HostNames names, CaptureSecrets secrets) {
    this.window = window;
    this.counters = counters;
    this.names = names;
    this.secrets = new SecretsBlock(secrets);
  }

  /** Whether the stream begins as a pcapng file does. */
  static boolean recognises(ByteWindow window) {
    return window.require(4) && Bytes.i32(window.bytes(), window.index()) == SECTION_HEADER;
  }

  @Override
  public Step read(PacketRecord record) {
    if (searching) {
      return search();
    }
    if (secrets.isOpen()) {
      if (secrets.readOn(window)) {
        return Step.OTHER;
      }
      counters.increment(WireCount.TRUNCATED_FILES);
      return Step.END;
    }
    if (!window.require(BLOCK_BYTES_MIN)) {
      return end();
    }
    if (i32(0) == DECRYPTION_SECRETS && SecretsBlock.isLong(i32(4))) {
      return window.require(SecretsBlock.HEADER_BYTES) ? beginSecrets() : end();
    }
    int length = blockLength();
    if (length > 0 && !window.require(length)) {
      return end();
    }
    if (length < 0 || i32(length - 4) != length) {
      counters.increment(WireCount.DAMAGED_RECORDS);
      searching = true;
      return Step.OTHER;
    }
    boolean packet = block(i32(0), length, record);
    window.advance(length);
    return packet ? Step.PACKET : Step.OTHER;
  }

  /** Begins a block of secrets that is too long to be read at once. */
  private Step beginSecrets() {
    secrets.begin(i32(4), i32(8), i32(12));
    window.advance(SecretsBlock.HEADER_BYTES);
    return Step.OTHER;
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
    return droppedBefore + interfaces.droppedPackets();
  }

  @Override
  public DropTimes drops() {
    return drops;
  }

  /** The length of the block ahead, or -1 when it cannot be one; a section sets the byte order. */
  private int blockLength() {
    if (i32(0) == SECTION_HEADER) {
      int magic = Bytes.i32(window.bytes(), window.index() + 8);
      if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
        return -1;
      }
      littleEndian = magic != BYTE_ORDER_MAGIC;
    }
    int length = i32(4);
    return length < BLOCK_BYTES_MIN || length > BLOCK_BYTES_MAX || (length & 3) != 0 ? -1 : length;
  }

  private Step search() {
    long from = window.position();
    while (searching && window.position() - from < SEARCH_BYTES_MAX) {
      if (!window.require(BLOCK_BYTES_MIN + 1)) {
        window.advance(window.available());
        counters.add(WireCount.SKIPPED_BYTES, window.position() - from);
        return Step.END;
      }
      window.advance(1);
      searching = !atSoundBlock();
    }
    counters.add(WireCount.SKIPPED_BYTES, window.position() - from);
    return Step.OTHER;
  }

  private boolean atSoundBlock() {
    int type = i32(0);
    if (type != SECTION_HEADER
        && type != DECRYPTION_SECRETS
        && (type <= 0 || type > ENHANCED_PACKET)) {
      return false;
    }
    boolean order = littleEndian;
    int length = blockLength();
    if (length > 0 && window.require(length) && i32(length - 4) == length) {
      return true;
    }
    littleEndian = order;
    return false;
  }

  private boolean block(int type, int length, PacketRecord record) {
    switch (type) {
      case SECTION_HEADER -> {
        droppedBefore += interfaces.droppedPackets();
        interfaces = new CaptureInterfaces();
      }
      case INTERFACE_DESCRIPTION -> {
        if (length >= 20) {
          describeInterface(length);
        }
      }
      case INTERFACE_STATISTICS -> {
        if (length >= 24) {
          statistics(i32(8), options(20, length));
        }
      }
      case NAME_RESOLUTION -> NameRecords.read(this, length, names);
      case DECRYPTION_SECRETS -> secrets.read(this, length);
      case ENHANCED_PACKET -> {
        return length >= PACKET_HEADER_BYTES + 4 && packet(i32(8), length, record);
      }
      case OBSOLETE_PACKET -> {
        return length >= PACKET_HEADER_BYTES + 4 && packet(u16(8), length, record);
      }
      case SIMPLE_PACKET -> {
        return length >= 16 && simplePacket(length, record);
      }
      default -> {}
    }
    return false;
  }

  /**
   * Takes an interface's statistics: packets told as dropped were lost since the last ones, or
   * since the first packet.
   */
  private void statistics(int interfaceId, BlockOptions options) {
    long before = interfaces.droppedPackets();
    interfaces.statistics(interfaceId, options);
    long dropped = interfaces.droppedPackets() - before;
    if (interfaces.knows(interfaceId)) {
      long nanos = interfaces.nanos(interfaceId, ticks());
      if (dropped > 0) {
        long since = statisticsNanos == NEVER ? firstTimeNanos : statisticsNanos;
        drops.add(since == NEVER ? nanos : since, nanos, dropped);
      }
      statisticsNanos = nanos;
    }
  }

  private void describeInterface(int length) {
    interfaces.add(u16(8), i32(12), options(16, length));
  }

  private BlockOptions options(int from, int length) {
    return new BlockOptions(this, from, length - 4);
  }

  private boolean packet(int interfaceId, int length, PacketRecord record) {
    long captured = i32(20) & 0xffff_ffffL;
    if (captured > length - PACKET_HEADER_BYTES - 4) {
      counters.increment(WireCount.DAMAGED_RECORDS);
      return false;
    }
    if (!interfaces.knows(interfaceId)) {
      counters.increment(WireCount.PACKETS);
      counters.increment(WireCount.UNDECODABLE_PACKETS);
      return false;
    }
    record.timeNanos = interfaces.nanos(interfaceId, ticks());
    boolean first = firstTimeNanos == NEVER;
    firstTimeNanos = first ? record.timeNanos : firstTimeNanos;
    int optionsAt = PACKET_HEADER_BYTES + PcapngFormat.padded((int) captured);
    if (optionsAt < length - 4) {
      long dropped = Math.max(0, options(optionsAt, length).number(PACKET_DROP_COUNT));
      interfaces.addDrops(interfaceId, dropped);
      if (dropped > 0) {
        drops.add(first ? record.timeNanos : lastTimeNanos, record.timeNanos, dropped);
      }
    }
    record.position = window.position() + PACKET_HEADER_BYTES;
    record.capturedBytes = (int) captured;
    record.wireBytes = wireBytes(captured, i32(24));
    record.linkType = interfaces.linkType(interfaceId);
    lastTimeNanos = record.timeNanos;
    return true;
  }

  /** The time of the block ahead, in the units of its interface. */
  private long ticks() {
    return (i32(12) & 0xffff_ffffL) << 32 | (i32(16) & 0xffff_ffffL);
  }

  private boolean simplePacket(int length, PacketRecord record) {
    if (!interfaces.knows(0)) {
      counters.increment(WireCount.PACKETS);
      counters.increment(WireCount.UNDECODABLE_PACKETS);
      return false;
    }
    long wire = i32(8) & 0xffff_ffffL;
    int captured = (int) Math.min(Math.min(wire, interfaces.snapLength(0)), length - 16);
    record.timeNanos = lastTimeNanos;
    record.position = window.position() + 12;
    record.capturedBytes = captured;
    record.wireBytes = wireBytes(captured, (int) wire);
    record.linkType = interfaces.linkType(0);
    return true;
  }

  private static int wireBytes(long captured, int wire) {
    return (int) Math.min(Math.max(captured, wire & 0xffff_ffffL), Integer.MAX_VALUE);
  }

  /** A byte of the block ahead. */
  byte byteAt(int at) {
    return window.bytes()[window.index() + at];
  }

  /** A 16-bit number of the block ahead, in the section's byte order. */
  int u16(int at) {
    int value = Bytes.u16(window.bytes(), window.index() + at);
    return littleEndian ? (value >>> 8 | (value & 0xff) << 8) : value;
  }

  /** A 32-bit number of the block ahead, in the section's byte order. */
  int i32(int at) {
    int value = Bytes.i32(window.bytes(), window.index() + at);
    return littleEndian ? Integer.reverseBytes(value) : value;
  }

  /** A 64-bit number of the block ahead, in the section's byte order. */
  long i64(int at) {
    long value = Bytes.i64(window.bytes(), window.index() + at);
    return littleEndian ? Long.reverseBytes(value) : value;
  }

  /** The bytes of the block ahead, in network order as they stand. */
  byte[] bytes() {
    return window.bytes();
  }

  /** The index in {@link #bytes()} of an offset in the block ahead. */
  int indexOf(int at) {
    return window.index() + at;
  }
}
