package org.terrace.protocols.decoder;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of MySQL's compressed protocol: packets that hold parts of the stream of packets,
 * packed by zlib each for itself, or as they are where that would be shorter. They are unpacked as
 * they come, into an array of fixed length. Confined to one thread.
 */
final class MySqlUnpacking {
  private static final int HEADER_BYTES = 7;
  private static final int UNPACKED_BYTES_AT = 4;
  private static final int NUMBER_BYTES = 3;
  private static final int BUFFER_BYTES = 8 << 10;

  /** The memory of zlib's window and tables, and of the array. */
  private static final int MEMORY_BYTES = (48 << 10) + BUFFER_BYTES;

  private static final byte[] NOTHING = {};

  private final DecoderContext context;
  private final Unpacked unpacked;
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private long packedLeft;
  private long unpackedLeft;
  private boolean packed;

  /** Whether the packet at hand cannot be unpacked, so that its content counts as missing. */
  private boolean damaged;

  private boolean lost;
  private @Nullable Inflater inflater;
  private byte[] buffer = NOTHING;

  /** A receiver of what was packed. */
  interface Unpacked {
    /** The next bytes. */
    void data(byte[] bytes, int from, int to, Moment moment);

    /** The next bytes are not known, only their number. */
    void missing(long byteCount, Moment moment);

    /** Notes that nothing is known of what follows. */
    void lost(Moment moment);
  }

  MySqlUnpacking(DecoderContext context, Unpacked unpacked) {
    this.context = context;
    this.unpacked = unpacked;
  }

  /** Whether a segment is one packet that begins a command. */
  static boolean isWholeCommand(byte[] bytes, int from, int to) {
    return to - from > HEADER_BYTES
        && bytes[from + NUMBER_BYTES] == 0
        && MySqlPacket.number(bytes, from, to, NUMBER_BYTES) == to - from - HEADER_BYTES;
  }

  boolean isLost() {
    return lost;
  }

  /** Packets begin with the next byte. */
  void found() {
    lost = false;
    headerLength = 0;
    packedLeft = 0;
  }

  void accept(byte[] bytes, int from, int to, Moment moment) {
    int at = from;
    while (at < to && !lost) {
      if (packedLeft == 0) {
        header[headerLength++] = bytes[at++];
        if (headerLength == HEADER_BYTES) {
          headerLength = 0;
          begin(moment);
        }
      } else {
        int count = (int) Math.min(packedLeft, to - at);
        content(bytes, at, count, moment);
        at += count;
        pass(count, moment);
      }
    }
  }

  private void begin(Moment moment) {
    packedLeft = MySqlPacket.number(header, 0, HEADER_BYTES, NUMBER_BYTES);
    unpackedLeft = MySqlPacket.number(header, UNPACKED_BYTES_AT, HEADER_BYTES, NUMBER_BYTES);
    packed = unpackedLeft > 0;
    unpackedLeft = packed ? unpackedLeft : packedLeft;
    damaged = packed && !isReady();
    if (packedLeft == 0) {
      lose(moment);
    }
  }

  private boolean isReady() {
    Inflater known = inflater;
    if (known != null) {
      known.reset();
      return true;
    }
    if (!context.memory.take(MEMORY_BYTES)) {
      return false;
    }
    inflater = new Inflater();
    buffer = new byte[BUFFER_BYTES];
    return true;
  }

  private void content(byte[] bytes, int at, int count, Moment moment) {
    if (!packed && !damaged) {
      unpackedLeft -= count;
      unpacked.data(bytes, at, at + count, moment);
      return;
    }
    Inflater unpacking = inflater;
    if (damaged || unpacking == null) {
      return;
    }
    unpacking.setInput(bytes, at, count);
    try {
      for (int got = inflate(unpacking); got > 0; got = inflate(unpacking)) {
        unpackedLeft -= got;
        unpacked.data(buffer, 0, got, moment);
      }
    } catch (DataFormatException e) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
      damaged = true;
    }
  }

  /** Unpacks no more than the packet says that it holds. */
  private int inflate(Inflater unpacking) throws DataFormatException {
    return unpacking.inflate(buffer, 0, (int) Math.min(unpackedLeft, buffer.length));
  }

  private void pass(long count, Moment moment) {
    packedLeft -= count;
    if (packedLeft == 0 && unpackedLeft > 0) {
      unpacked.missing(unpackedLeft, moment);
    }
  }

  /** The next bytes were not captured. */
  void missing(long byteCount, Moment moment) {
    if (lost) {
      return;
    }
    if (packedLeft > 0 && byteCount <= packedLeft) {
      if (packed) {
        damaged = true;
      } else {
        unpackedLeft -= byteCount;
        unpacked.missing(byteCount, moment);
      }
      pass(byteCount, moment);
    } else {
      lose(moment);
    }
  }

  private void lose(Moment moment) {
    lost = true;
    unpacked.lost(moment);
  }

  /** Gives back the memory; the last call. */
  void release() {
    if (inflater != null) {
      inflater.end();
      inflater = null;
      context.memory.giveBack(MEMORY_BYTES);
    }
  }
}
