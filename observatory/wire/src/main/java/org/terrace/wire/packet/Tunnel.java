package org.terrace.wire.packet;

import static org.terrace.wire.bytes.Bytes.i32;
import static org.terrace.wire.bytes.Bytes.u16;
import static org.terrace.wire.bytes.Bytes.u8;

/**
 * The packet within a packet: what VXLAN (RFC 7348, with Linux's group policy), Geneve (RFC 8926),
 * GRE (RFC 2784 and 2890, NVGRE among it), ERSPAN I to III on it, IP in IP (RFC 2003) and IPv6 in
 * IPv4 (RFC 4213) carry. A datagram counts as a tunnel's if its port and every bit that is fixed or
 * reserved say so; others are left alone. Describes the packet looked at last. Confined to one
 * thread.
 */
final class Tunnel {
  /** The content found behind the headers of an IP packet. */
  enum Content {
    /** Nothing of a tunnel. */
    NONE,
    /** A tunnel whose header is cut off. */
    CUT,
    /** An IPv4 packet. */
    IPV4,
    /** An IPv6 packet. */
    IPV6,
    /** An Ethernet frame. */
    ETHERNET
  }

  private static final int PROTOCOL_IPV4 = 4;
  private static final int PROTOCOL_UDP = 17;
  private static final int PROTOCOL_IPV6 = 41;
  private static final int PROTOCOL_GRE = 47;

  private static final int UDP_HEADER_BYTES = 8;
  private static final int PORT_VXLAN = 4789;
  private static final int PORT_VXLAN_LINUX = 8472;
  private static final int PORT_GENEVE = 6081;
  private static final int VXLAN_HEADER_BYTES = 8;
  private static final int VXLAN_FLAGS = 0x0800_0000;

  /** Flags and bits of the group policy: G beside I, then D and A, then the group. */
  private static final int VXLAN_GROUP_FLAGS = 0x8800_0000;

  private static final int VXLAN_GROUP_MASK = 0x0048_ffff;

  private static final int GENEVE_HEADER_BYTES = 8;
  private static final int GENEVE_CONTROL = 0x80;
  private static final int GENEVE_RESERVED = 0x3f;

  private static final int GRE_CHECKSUM = 0x8000;
  private static final int GRE_KEY = 0x2000;
  private static final int GRE_SEQUENCE = 0x1000;
  private static final int GRE_OTHERS = 0x4fff;

  private static final int TYPE_IPV4 = 0x0800;
  private static final int TYPE_IPV6 = 0x86dd;
  private static final int TYPE_ETHERNET = 0x6558;
  private static final int TYPE_ERSPAN = 0x88be;
  private static final int TYPE_ERSPAN_3 = 0x22eb;
  private static final int ERSPAN_2_BYTES = 8;
  private static final int ERSPAN_3_BYTES = 12;
  private static final int ERSPAN_PLATFORM_BYTES = 8;
  private static final int ERSPAN_FRAME_IP = 2;

  /** The least number of a network of NVGRE (RFC 7637); lesser keys of GRE are a device's own. */
  private static final int NVGRE_GROUP_MIN = 0x1000;

  private int offset;
  private int kind;
  private int network;
  private boolean separates;
  private boolean ofFrames;

  /** The index of the first byte of the packet within. */
  int offset() {
    return offset;
  }

  /** Whether it carries one of several networks, whose addresses may be equal. */
  boolean separates() {
    return separates;
  }

  /**
   * The number of its network: a VNI, a key, or of NVGRE the part of the key that is no flow's and
   * the same for all connections.
   */
  long networkNumber() {
    if (kind != PROTOCOL_GRE) {
      return (long) network >>> Byte.SIZE & 0xff_ffffL;
    }
    long key = network & 0xffff_ffffL;
    return isGroup() ? key >>> Byte.SIZE : key;
  }

  private boolean isGroup() {
    return ofFrames && network >>> Byte.SIZE >= NVGRE_GROUP_MIN;
  }

  /** The word for networks of its kind. */
  String networkWord() {
    return switch (kind) {
      case PORT_VXLAN -> "vxlan";
      case PORT_GENEVE -> "geneve";
      default -> isGroup() ? "nvgre" : "gre";
    };
  }

  /** A number that differs where kind or network of tunnels differ; never zero. */
  int path() {
    int mixed = (network * 31 + kind) * 0x9E37_79B9;
    return mixed == 0 ? 1 : mixed;
  }

  /**
   * Looks into an IP packet.
   *
   * @param protocol the protocol of what it carries, as in its header
   * @param at the index of the first byte behind its headers
   * @param end the index behind the last byte that is there
   * @param wireEnd the index behind the last byte that it had
   */
  Content find(int protocol, byte[] bytes, int at, int end, long wireEnd) {
    kind = protocol;
    network = 0;
    separates = false;
    offset = at;
    return switch (protocol) {
      case PROTOCOL_UDP -> datagram(bytes, at, end, wireEnd);
      case PROTOCOL_GRE -> gre(bytes, at, end, wireEnd);
      case PROTOCOL_IPV4 -> Content.IPV4;
      case PROTOCOL_IPV6 -> Content.IPV6;
      default -> Content.NONE;
    };
  }

  private Content datagram(byte[] bytes, int at, int end, long wireEnd) {
    if (end - at < UDP_HEADER_BYTES) {
      return Content.NONE;
    }
    int port = u16(bytes, at + 2);
    if (port != PORT_VXLAN && port != PORT_VXLAN_LINUX && port != PORT_GENEVE) {
      return Content.NONE;
    }
    int length = u16(bytes, at + 4);
    if (length < UDP_HEADER_BYTES + VXLAN_HEADER_BYTES || at + length > wireEnd) {
      return Content.NONE;
    }
    int header = at + UDP_HEADER_BYTES;
    if (end - header < VXLAN_HEADER_BYTES) {
      return Content.CUT;
    }
    return port == PORT_GENEVE ? geneve(bytes, header, end, at + length) : vxlan(bytes, header);
  }

  private Content vxlan(byte[] bytes, int at) {
    int flags = i32(bytes, at);
    boolean plain = flags == VXLAN_FLAGS;
    boolean withGroup = (flags & ~VXLAN_GROUP_MASK) == VXLAN_GROUP_FLAGS;
    if ((!plain && !withGroup) || u8(bytes, at + 7) != 0) {
      return Content.NONE;
    }
    kind = PORT_VXLAN;
    network = i32(bytes, at + 4);
    separates = true;
    offset = at + VXLAN_HEADER_BYTES;
    return Content.ETHERNET;
  }

  private Content geneve(byte[] bytes, int at, int end, int wireEnd) {
    int first = u8(bytes, at);
    int optionsBytes = (first & 0x3f) * 4;
    boolean fits = at + GENEVE_HEADER_BYTES + optionsBytes <= wireEnd;
    int second = u8(bytes, at + 1);
    boolean data = (second & (GENEVE_CONTROL | GENEVE_RESERVED)) == 0;
    Content content = ofType(u16(bytes, at + 2));
    if (first >>> 6 != 0 || !fits || !data || u8(bytes, at + 7) != 0) {
      return Content.NONE;
    }
    kind = PORT_GENEVE;
    network = i32(bytes, at + 4);
    separates = true;
    offset = at + GENEVE_HEADER_BYTES + optionsBytes;
    return content != Content.NONE && offset > end ? Content.CUT : content;
  }

  private static Content ofType(int type) {
    return switch (type) {
      case TYPE_IPV4 -> Content.IPV4;
      case TYPE_IPV6 -> Content.IPV6;
      case TYPE_ETHERNET -> Content.ETHERNET;
      default -> Content.NONE;
    };
  }

  private Content gre(byte[] bytes, int at, int end, long wireEnd) {
    if (end - at < 4) {
      return wireEnd - at < 4 ? Content.NONE : Content.CUT;
    }
    int flags = u16(bytes, at);
    if ((flags & GRE_OTHERS) != 0) {
      // Source routes, which nobody sends any more, or another version, as PPTP's.
      return Content.NONE;
    }
    int behind = at + 4 + ((flags & GRE_CHECKSUM) != 0 ? 4 : 0);
    int keyAt = behind;
    behind += (flags & GRE_KEY) != 0 ? 4 : 0;
    boolean sequenced = (flags & GRE_SEQUENCE) != 0;
    behind += sequenced ? 4 : 0;
    if (behind > wireEnd) {
      return Content.NONE;
    }
    if (behind > end) {
      return Content.CUT;
    }
    separates = (flags & GRE_KEY) != 0;
    network = separates ? i32(bytes, keyAt) : 0;
    ofFrames = u16(bytes, at + 2) == TYPE_ETHERNET;
    offset = behind;
    return switch (u16(bytes, at + 2)) {
      // The first type has neither a sequence number nor a header of its own.
      case TYPE_ERSPAN -> {
        separates = false;
        yield sequenced ? mirrored(bytes, end, wireEnd, 1, ERSPAN_2_BYTES) : Content.ETHERNET;
      }
      case TYPE_ERSPAN_3 -> mirrored(bytes, end, wireEnd, 2, ERSPAN_3_BYTES);
      default -> ofType(u16(bytes, at + 2));
    };
  }

  /** Passes over the header of ERSPAN, of a version whose header has so many bytes. */
  private Content mirrored(byte[] bytes, int end, long wireEnd, int version, int headerBytes) {
    int at = offset;
    if (at + headerBytes > end) {
      return at + headerBytes > wireEnd ? Content.NONE : Content.CUT;
    }
    if (u8(bytes, at) >>> 4 != version) {
      return Content.NONE;
    }
    // A session of mirroring shows packets as its switch saw them.
    network = u16(bytes, at + 2) & 0x3ff;
    separates = false;
    kind = TYPE_ERSPAN + version;
    offset = at + headerBytes;
    if (version == 1) {
      return Content.ETHERNET;
    }
    offset += (u8(bytes, at + 11) & 1) != 0 ? ERSPAN_PLATFORM_BYTES : 0;
    if (offset > end) {
      return Content.CUT;
    }
    return switch (u16(bytes, at + 10) >>> 10 & 0x1f) {
      case 0 -> Content.ETHERNET;
      case ERSPAN_FRAME_IP ->
          offset == end ? Content.CUT : u8(bytes, offset) >>> 4 == 6 ? Content.IPV6 : Content.IPV4;
      default -> Content.NONE;
    };
  }
}
