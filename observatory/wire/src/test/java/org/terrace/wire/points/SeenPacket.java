package org.terrace.wire.points;

import java.nio.ByteBuffer;
import org.terrace.wire.packet.PacketParser;

/**
 * A packet of TCP on its way between two hosts, as a test has it. Its bytes are those of Ethernet,
 * IPv4 and TCP with time stamps.
 *
 * @param source the sender's address
 * @param destination the receiver's
 * @param ports the sender's port, and the receiver's in the lower half
 * @param sequence its sequence number
 * @param acknowledgement its acknowledgement number
 * @param flags its flags
 * @param payload its bytes of payload
 * @param identification the number of the transmission
 */
record SeenPacket(
    int source,
    int destination,
    int ports,
    int sequence,
    int acknowledgement,
    int flags,
    int payload,
    int identification) {
  private static final int HEADER_BYTES = 14 + 20 + 32;
  private static final int ETHERNET = 1;

  byte[] bytes() {
    ByteBuffer packet = ByteBuffer.allocate(HEADER_BYTES + payload);
    packet.putLong(0).putInt(0).putShort((short) 0x0800);
    packet.putShort((short) 0x4500).putShort((short) (HEADER_BYTES - 14 + payload));
    packet.putShort((short) identification).putShort((short) 0x4000);
    packet.putShort((short) 0x4006).putShort((short) 0);
    packet.putInt(source).putInt(destination);
    packet.putInt(ports).putInt(sequence).putInt(acknowledgement);
    packet.putShort((short) (8 << 12 | flags)).putShort((short) 502).putInt(0);
    packet.putInt(0x0101_080a).putInt(identification).putInt(0);
    return packet.array();
  }

  /** A point sees it. */
  void seenBy(PointScan point, long number, long timeNanos) {
    PacketParser parser = new PacketParser();
    byte[] bytes = bytes();
    if (parser.parse(bytes, 0, bytes.length, bytes.length, ETHERNET) != PacketParser.Kind.TCP) {
      throw new AssertionError("a packet of TCP is not known as one");
    }
    point.packet(number, timeNanos);
    point.tcp(parser, bytes, number, timeNanos);
  }
}
