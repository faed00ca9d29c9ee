package org.terrace.hosts;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Counts the packets of a pcapng file that open a TCP connection. */
final class OpeningPackets {
  private static final int ENHANCED_PACKET = 6;
  private static final int PACKET_AT = 28;
  private static final int ETHERNET_BYTES = 14;
  private static final int SYN = 2;
  private static final int SYN_ACK = 0x12;

  private OpeningPackets() {}

  /** Those to an IPv4 address and port. */
  static int to(byte[] file, String address, int port) {
    ByteBuffer blocks = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer packets = ByteBuffer.wrap(file);
    int wanted = ByteBuffer.wrap(InetAddress.ofLiteral(address).getAddress()).getInt();
    int count = 0;
    for (int at = 0; at < file.length; at += blocks.getInt(at + 4)) {
      int ip = at + PACKET_AT + ETHERNET_BYTES;
      if (blocks.getInt(at) != ENHANCED_PACKET || (file[ip] >>> 4) != 4 || file[ip + 9] != 6) {
        continue;
      }
      int tcp = ip + 4 * (file[ip] & 0xf);
      boolean opens = (file[tcp + 13] & SYN_ACK) == SYN;
      if (opens
          && packets.getInt(ip + 16) == wanted
          && Short.toUnsignedInt(packets.getShort(tcp + 2)) == port) {
        count++;
      }
    }
    return count;
  }
}
