package org.terrace.wire.packet;

import static org.terrace.wire.bytes.Bytes.i32;
import static org.terrace.wire.bytes.Bytes.i64;
import static org.terrace.wire.bytes.Bytes.u16;
import static org.terrace.wire.bytes.Bytes.u8;

import org.terrace.wire.bytes.Bytes;

/**
 * A parser that finds the TCP segment in a packet: link layer, VLAN tags, IPv4 or IPv6 with its
 * extension headers, TCP; also in what tunnels carry, up to {@value #TUNNELS_MAX} within each
 * other. Its fields describe the packet parsed last; a parser is reused for all packets, so that
 * nothing is allocated. Never reads outside the packet and never fails. Confined to one thread.
 */
public final class PacketParser {
  /** The kind of a packet, as its bytes tell it. */
  public enum Kind {
    /** A TCP segment: all fields are set. */
    TCP,
    /** A whole IP packet of another protocol, or a packet that is not IP. */
    NOT_TCP,
    /** A part of an IP packet. */
    FRAGMENT,
    /** Headers that are cut short, damaged or of an unknown kind. */
    UNDECODABLE
  }

  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86dd;
  private static final int PROTOCOL_TCP = 6;
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int IPV6_HEADER_BYTES = 40;
  private static final int TCP_HEADER_BYTES = 20;
  private static final int EXTENSION_HEADERS_MAX = 8;
  private static final int LINK_ETHERNET = 1;

  /** Tunnels within tunnels that are looked into. */
  static final int TUNNELS_MAX = 4;

  private final LinkLayer link = new LinkLayer();
  private final Tunnel tunnel = new Tunnel();

  private int tunnels;
  private int path;
  private int route;
  private final NetworkNumbers network = new NetworkNumbers(TUNNELS_MAX);
  private boolean isOutermostNumbered;
  private boolean isLastNumbered;
  private long endHigh;
  private long endLow;

  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;
  private int sourcePort;
  private int destinationPort;
  private int sequence;
  private int acknowledgement;
  private int flags;
  private int window;
  private int identification;
  private int payloadOffset;
  private int payloadCaptured;
  private int payloadBytes;
  private int headerBytes;
  private boolean headerCaptured;

  /**
   * Parses one packet.
   *
   * @param bytes the array in which it lies
   * @param offset the index of its first byte
   * @param captured how many of its bytes are there
   * @param wireBytes how many bytes it had on the wire, at least {@code captured}
   * @param linkType its link-layer type, as in pcap's list
   */
  public Kind parse(byte[] bytes, int offset, int captured, int wireBytes, int linkType) {
    if (tunnels != 0) {
      tunnels = 0;
      path = 0;
      route = 0;
      network.clear();
      isOutermostNumbered = false;
      isLastNumbered = false;
    }
    return frame(bytes, offset, offset + captured, (long) offset + wireBytes, linkType);
  }

  private Kind frame(byte[] bytes, int offset, int end, long wireEnd, int linkType) {
    int at = link.skip(bytes, offset, end, linkType);
    if (at < 0) {
      return Kind.UNDECODABLE;
    }
    if (link.etherType() == ETHERTYPE_IPV4) {
      return ipv4(bytes, at, end, wireEnd);
    }
    if (link.etherType() == ETHERTYPE_IPV6) {
      return ipv6(bytes, at, end, wireEnd);
    }
    return Kind.NOT_TCP;
  }

  private Kind ipv4(byte[] bytes, int at, int end, long wireEnd) {
    if (end - at < IPV4_HEADER_BYTES || u8(bytes, at) >>> 4 != 4) {
      return Kind.UNDECODABLE;
    }
    int headerBytes = (u8(bytes, at) & 0xf) * 4;
    int total = u16(bytes, at + 2);
    if (headerBytes < IPV4_HEADER_BYTES || (total != 0 && total < headerBytes)) {
      return Kind.UNDECODABLE;
    }
    if ((u16(bytes, at + 6) & 0x3fff) != 0) {
      return Kind.FRAGMENT;
    }
    long ipEnd = total == 0 ? wireEnd : endOf(wireEnd, (long) at + total);
    identification = u16(bytes, at + 4);
    sourceHigh = 0;
    sourceLow = HostAddress.ipv4Low(i32(bytes, at + 12));
    destinationHigh = 0;
    destinationLow = HostAddress.ipv4Low(i32(bytes, at + 16));
    passMirrorOfHost();
    int protocol = u8(bytes, at + 9);
    if (protocol != PROTOCOL_TCP) {
      return carried(protocol, bytes, at + headerBytes, end, ipEnd);
    }
    return tcp(bytes, at + headerBytes, end, ipEnd);
  }

  private Kind ipv6(byte[] bytes, int at, int end, long wireEnd) {
    if (end - at < IPV6_HEADER_BYTES || u8(bytes, at) >>> 4 != 6) {
      return Kind.UNDECODABLE;
    }
    int payload = u16(bytes, at + 4);
    identification = 0;
    sourceHigh = i64(bytes, at + 8);
    sourceLow = i64(bytes, at + 16);
    destinationHigh = i64(bytes, at + 24);
    destinationLow = i64(bytes, at + 32);
    passMirrorOfHost();
    long ipEnd = payload == 0 ? wireEnd : endOf(wireEnd, (long) at + IPV6_HEADER_BYTES + payload);
    return ipv6Payload(bytes, at + IPV6_HEADER_BYTES, end, ipEnd, u8(bytes, at + 6));
  }

  private Kind ipv6Payload(byte[] bytes, int from, int end, long ipEnd, int firstHeader) {
    int next = firstHeader;
    int at = from;
    for (int headers = 0; headers < EXTENSION_HEADERS_MAX; headers++) {
      if (next == PROTOCOL_TCP) {
        return tcp(bytes, at, end, ipEnd);
      }
      if (!isExtension(next)) {
        return carried(next, bytes, at, end, ipEnd);
      }
      if (end - at < 8) {
        return Kind.UNDECODABLE;
      }
      if (next == 44 && (u16(bytes, at + 2) & 0xfff9) != 0) {
        return Kind.FRAGMENT;
      }
      int length =
          switch (next) {
            case 44 -> 8;
            case 51 -> (u8(bytes, at + 1) + 2) * 4;
            default -> (u8(bytes, at + 1) + 1) * 8;
          };
      next = u8(bytes, at);
      at += length;
    }
    return Kind.UNDECODABLE;
  }

  /**
   * The index behind a packet, which ends where its frame does if its length says otherwise. Of one
   * within a tunnel the length counts, since what mirrors packets may cut them.
   */
  private long endOf(long frameEnd, long told) {
    return path == 0 ? Math.min(frameEnd, told) : told;
  }

  /** Looks for a tunnel in what an IP packet carries, and for a segment in that. */
  private Kind carried(int protocol, byte[] bytes, int at, int end, long ipEnd) {
    int from = Math.min(at, end);
    Tunnel.Content content = tunnel.find(protocol, bytes, from, end, ipEnd);
    if (content == Tunnel.Content.NONE) {
      return Kind.NOT_TCP;
    }
    if (content == Tunnel.Content.CUT || tunnels == TUNNELS_MAX) {
      return Kind.UNDECODABLE;
    }
    enter();
    int inner = tunnel.offset();
    int innerEnd = (int) Math.min(end, ipEnd);
    return switch (content) {
      case IPV4 -> ipv4(bytes, inner, innerEnd, ipEnd);
      case IPV6 -> ipv6(bytes, inner, innerEnd, ipEnd);
      case ETHERNET -> frame(bytes, inner, innerEnd, ipEnd, LINK_ETHERNET);
      case NONE, CUT -> Kind.UNDECODABLE;
    };
  }

  /** Notes the tunnel that was found in a packet, whose addresses are those read last. */
  private void enter() {
    endHigh = sourceHigh;
    endLow = sourceLow;
    isLastNumbered = tunnel.separates();
    if (tunnels == 0) {
      long ends = Bytes.mix(Bytes.mix(sourceLow ^ sourceHigh) ^ destinationLow ^ destinationHigh);
      route = (int) Bytes.mix(ends ^ tunnel.path());
      route = route == 0 ? 1 : route;
      isOutermostNumbered = isLastNumbered;
    }
    tunnels++;
    path = path * 31 + tunnel.path();
    path = path == 0 ? 1 : path;
    if (isLastNumbered) {
      network.add(tunnel.networkWord(), tunnel.networkNumber());
    }
  }

  /**
   * Leaves out the number of the tunnel that was left last if its source is a host of the packet
   * within: a host sends copies of its own packets, and the number is a session's.
   */
  private void passMirrorOfHost() {
    if (!isLastNumbered) {
      return;
    }
    boolean ofSource = endHigh == sourceHigh && endLow == sourceLow;
    if (ofSource || (endHigh == destinationHigh && endLow == destinationLow)) {
      network.leaveOut(network.count() - 1);
      isOutermostNumbered &= tunnels > 1;
    }
    isLastNumbered = false;
  }

  /**
   * Leaves out the number of the outermost tunnel, which proved to be a mirror's session.
   *
   * @return its network with that number
   */
  public int passMirror() {
    int session = network();
    if (isOutermostNumbered) {
      isOutermostNumbered = false;
      network.leaveOut(0);
    }
    return session;
  }

  /** Hop-by-hop, routing, fragment, authentication, destination, mobility, HIP, shim6. */
  private static boolean isExtension(int header) {
    return switch (header) {
      case 0, 43, 44, 51, 60, 135, 139, 140 -> true;
      default -> false;
    };
  }

  private Kind tcp(byte[] bytes, int at, int end, long ipEnd) {
    if (end - at < TCP_HEADER_BYTES) {
      return Kind.UNDECODABLE;
    }
    headerBytes = (u8(bytes, at + 12) >>> 4) * 4;
    if (headerBytes < TCP_HEADER_BYTES || at + headerBytes > ipEnd) {
      return Kind.UNDECODABLE;
    }
    headerCaptured = at + headerBytes <= end;
    sourcePort = u16(bytes, at);
    destinationPort = u16(bytes, at + 2);
    sequence = i32(bytes, at + 4);
    acknowledgement = i32(bytes, at + 8);
    flags = u8(bytes, at + 13);
    window = u16(bytes, at + 14);
    payloadOffset = at + headerBytes;
    payloadBytes = (int) Math.min(ipEnd - payloadOffset, Integer.MAX_VALUE);
    payloadCaptured = Math.max(0, Math.min(end - payloadOffset, payloadBytes));
    return Kind.TCP;
  }

  /**
   * The tunnels that carried it, as a number that differs where they do; zero without any. The
   * fields describe the innermost packet.
   */
  public int path() {
    return path;
  }

  /**
   * The network within which its addresses count, as a number: by the VNI or key of the tunnels
   * that carried it; zero where they tell none. A host that mirrors its own packets tells none.
   */
  public int network() {
    return network.mixed();
  }

  /** The name of its network, such as {@code vxlan42}; empty where it has none. */
  public String networkName() {
    return network.name();
  }

  /** The outermost tunnel and its ends, in the direction of the packet; zero if in none. */
  public int route() {
    return route;
  }

  /** The first eight bytes of the sender's address. */
  public long sourceHigh() {
    return sourceHigh;
  }

  /** The last eight bytes of the sender's address. */
  public long sourceLow() {
    return sourceLow;
  }

  /** The first eight bytes of the receiver's address. */
  public long destinationHigh() {
    return destinationHigh;
  }

  /** The last eight bytes of the receiver's address. */
  public long destinationLow() {
    return destinationLow;
  }

  /** The sender's port. */
  public int sourcePort() {
    return sourcePort;
  }

  /** The receiver's port. */
  public int destinationPort() {
    return destinationPort;
  }

  /** The sequence number. */
  public int sequence() {
    return sequence;
  }

  /** The acknowledgement number. */
  public int acknowledgement() {
    return acknowledgement;
  }

  /** The flags, as in the header's fourteenth byte. */
  public int flags() {
    return flags;
  }

  /** The receive window as it stands in the header, not scaled. */
  public int window() {
    return window;
  }

  /** The identification of the IPv4 packet; zero for IPv6. */
  public int identification() {
    return identification;
  }

  /** Bytes of the TCP header, its options among them. */
  public int headerBytes() {
    return headerBytes;
  }

  /** Whether the whole TCP header is there. */
  public boolean headerCaptured() {
    return headerCaptured;
  }

  /** The index of the first byte of payload. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Bytes of payload that are there. */
  public int payloadCaptured() {
    return payloadCaptured;
  }

  /** Bytes of payload on the wire. */
  public int payloadBytes() {
    return payloadBytes;
  }
}
