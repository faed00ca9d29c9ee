package org.terrace.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.terrace.wire.file.PcapngWriter;

/** Reads the kernel's {@code struct tpacket3_hdr}, which stands before each packet of a ring. */
final class TpacketHeader {
  private static final int NEXT = 0;
  private static final int SECONDS = 4;
  private static final int NANOS = 8;
  private static final int CAPTURED = 12;
  private static final int LENGTH = 16;
  private static final int STATUS = 20;
  private static final int PACKET = 24;
  private static final int VLAN_TAG = 32;
  private static final int VLAN_PROTOCOL = 36;

  private static final int VLAN_VALID = 0x10;
  private static final int VLAN_PROTOCOL_VALID = 0x40;
  private static final int DEFAULT_VLAN_PROTOCOL = 0x8100;
  private static final long NANOS_A_SECOND = 1_000_000_000L;

  private TpacketHeader() {}

  /** Adds the packet at an offset of the ring to the file and returns the offset of the next. */
  static int write(ByteBuffer ring, int at, PcapngWriter file) throws IOException {
    long epochNanos =
        Integer.toUnsignedLong(ring.getInt(at + SECONDS)) * NANOS_A_SECOND
            + ring.getInt(at + NANOS);
    int captured = ring.getInt(at + CAPTURED);
    int length = ring.getInt(at + LENGTH);
    int packet = at + Short.toUnsignedInt(ring.getShort(at + PACKET));
    int status = ring.getInt(at + STATUS);
    if ((status & VLAN_VALID) == 0) {
      file.packet(epochNanos, ring, packet, captured, length);
    } else {
      int protocol =
          (status & VLAN_PROTOCOL_VALID) != 0
              ? Short.toUnsignedInt(ring.getShort(at + VLAN_PROTOCOL))
              : DEFAULT_VLAN_PROTOCOL;
      int tag = protocol << Short.SIZE | (ring.getInt(at + VLAN_TAG) & 0xffff);
      file.taggedPacket(epochNanos, ring, packet, captured, length, tag);
    }
    return at + ring.getInt(at + NEXT);
  }
}
