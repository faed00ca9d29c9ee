package org.terrace.wire.packet;

import static org.terrace.wire.bytes.Bytes.i32;
import static org.terrace.wire.bytes.Bytes.u16;
import static org.terrace.wire.bytes.Bytes.u8;

/** Passes over the link-layer header of a packet, VLAN tags included. Confined to one thread. */
final class LinkLayer {
  private static final int NULL = 0;
  private static final int ETHERNET = 1;
  private static final int RAW_BSD = 12;
  private static final int RAW_OPENBSD = 14;
  private static final int RAW = 101;
  private static final int LOOP = 108;
  private static final int LINUX_COOKED = 113;
  private static final int IPV4 = 228;
  private static final int IPV6 = 229;
  private static final int LINUX_COOKED_2 = 276;

  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86dd;
  private static final int ETHERTYPE_OTHER = 0;
  private static final int VLAN_TAGS_MAX = 4;
  private static final int FAMILY_INET = 2;

  private int etherType;

  /** The type of what follows the header passed over last, as in Ethernet. */
  int etherType() {
    return etherType;
  }

  /** The index of what follows the link-layer header, or -1 when it is unknown or cut short. */
  int skip(byte[] bytes, int offset, int end, int linkType) {
    return switch (linkType) {
      case ETHERNET -> tagged(bytes, offset + 12, end);
      case LINUX_COOKED -> tagged(bytes, offset + 14, end);
      case LINUX_COOKED_2 -> cooked2(bytes, offset, end);
      case NULL, LOOP -> family(bytes, offset, end);
      case RAW, RAW_BSD, RAW_OPENBSD, IPV4, IPV6 -> version(bytes, offset, end);
      default -> -1;
    };
  }

  /** Reads an EtherType and the VLAN tags before it. */
  private int tagged(byte[] bytes, int typeAt, int end) {
    int at = typeAt;
    for (int tags = 0; tags <= VLAN_TAGS_MAX; tags++) {
      if (end - at < 2) {
        return -1;
      }
      etherType = u16(bytes, at);
      at += 2;
      if (etherType != 0x8100 && etherType != 0x88a8 && etherType != 0x9100) {
        return at;
      }
      at += 2;
    }
    return -1;
  }

  private int cooked2(byte[] bytes, int offset, int end) {
    if (end - offset < 20) {
      return -1;
    }
    etherType = u16(bytes, offset);
    if (etherType == 0x8100 || etherType == 0x88a8) {
      return tagged(bytes, offset + 22, end);
    }
    return offset + 20;
  }

  /** BSD loopback: an address family in the byte order of the machine that captured. */
  private int family(byte[] bytes, int offset, int end) {
    if (end - offset < 4) {
      return -1;
    }
    int family = i32(bytes, offset);
    family = (family & 0xffff) == 0 ? Integer.reverseBytes(family) : family;
    etherType =
        switch (family) {
          case FAMILY_INET -> ETHERTYPE_IPV4;
          case 10, 24, 28, 30 -> ETHERTYPE_IPV6;
          default -> ETHERTYPE_OTHER;
        };
    return offset + 4;
  }

  private int version(byte[] bytes, int offset, int end) {
    if (end - offset < 1) {
      return -1;
    }
    etherType =
        switch (u8(bytes, offset) >>> 4) {
          case 4 -> ETHERTYPE_IPV4;
          case 6 -> ETHERTYPE_IPV6;
          default -> ETHERTYPE_OTHER;
        };
    return offset;
  }
}
