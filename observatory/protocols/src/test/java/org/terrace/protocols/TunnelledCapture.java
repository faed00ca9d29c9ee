package org.terrace.protocols;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** The packets of captures of Ethernet, each put into a tunnel's packet, and captures joined. */
final class TunnelledCapture {
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int ETHERNET_BYTES = 14;
  private static final int UDP = 17;
  private static final int GRE = 47;
  private static final int IN_IP = 4;

  /** A tunnel, by the bytes that it puts around a frame. */
  enum Kind {
    VXLAN(UDP, 4789, "0800000000002a00", true),
    VXLAN_OF_LINUX(UDP, 8472, "0800000000000100", true),
    GENEVE(UDP, 6081, "0240655800002a000102800111223344", true),
    GRE_WITH_KEY(GRE, 0, "3000080000000007000000ff", false),
    ERSPAN_2(GRE, 0, "100088be000000011064000700000001", true),
    ERSPAN_3(GRE, 0, "100022eb00000001206400070000000100000000", true),
    NVGRE(GRE, 0, "2000655800002a01", true),
    IP_IN_IP(IN_IP, 0, "", false);

    private final int protocol;
    private final int port;
    private final String header;
    private final boolean ofFrames;

    Kind(int protocol, int port, String header, boolean ofFrames) {
      this.protocol = protocol;
      this.port = port;
      this.header = header;
      this.ofFrames = ofFrames;
    }

    /** Its bytes with another VNI or key; an ERSPAN's session is left as it is. */
    private byte[] header(int network) {
      byte[] head = HexFormat.of().parseHex(header);
      switch (this) {
        case VXLAN, VXLAN_OF_LINUX, GENEVE -> ByteBuffer.wrap(head).putInt(4, network << 8);
        case GRE_WITH_KEY -> ByteBuffer.wrap(head).putInt(4, network);
        case NVGRE -> ByteBuffer.wrap(head).putInt(4, network << 8 | 1);
        default -> {}
      }
      return head;
    }

    private byte[] around(byte[] frame, byte[] head, int outerSource, int outerDestination) {
      int from = ofFrames ? 0 : ETHERNET_BYTES;
      int innerBytes = frame.length - from;
      int udpBytes = protocol == UDP ? 8 : 0;
      int total = 20 + udpBytes + head.length + innerBytes;
      ByteBuffer packet = ByteBuffer.allocate(ETHERNET_BYTES + total);
      packet.position(12).putShort((short) 0x0800);
      packet.putShort((short) 0x4500).putShort((short) total).putInt(0x4000);
      packet.put((byte) 64).put((byte) protocol).putShort((short) 0);
      packet.putInt(outerSource).putInt(outerDestination);
      if (protocol == UDP) {
        packet.putShort((short) 50_000).putShort((short) port);
        packet.putShort((short) (total - 20)).putShort((short) 0);
      }
      return packet.put(head).put(frame, from, innerBytes).array();
    }
  }

  /** The hosts at the ends of a tunnel. */
  enum Ends {
    /** A mirror sends the packets of both directions to one host that records. */
    MIRROR,
    /** The host that serves mirrors its own packets. */
    MIRROR_OF_THE_SERVER,
    /** Each host of the inner packets is behind an end of its own. */
    OVERLAY;

    private int source(byte[] frame) {
      ByteBuffer packet = ByteBuffer.wrap(frame);
      int source = packet.getInt(ETHERNET_BYTES + 12);
      return switch (this) {
        case MIRROR -> 0xc0a8_0001;
        case MIRROR_OF_THE_SERVER -> Math.max(source, packet.getInt(ETHERNET_BYTES + 16));
        case OVERLAY -> 0xc0a8_0100 | (source & 0xff);
      };
    }

    private int destination(byte[] frame) {
      int destination = ByteBuffer.wrap(frame).getInt(ETHERNET_BYTES + 16);
      return this == OVERLAY ? 0xc0a8_0100 | (destination & 0xff) : 0xc0a8_0002;
    }
  }

  private record Packet(int seconds, int fraction, byte[] frame) {
    private long time() {
      return seconds * 1_000_000_000L + fraction;
    }
  }

  private TunnelledCapture() {}

  private static List<Packet> packets(byte[] capture) {
    ByteBuffer bytes = ByteBuffer.wrap(capture).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(FILE_HEADER_BYTES);
    List<Packet> packets = new ArrayList<>();
    while (bytes.remaining() >= RECORD_HEADER_BYTES) {
      int seconds = bytes.getInt();
      int fraction = bytes.getInt();
      byte[] frame = new byte[bytes.getInt()];
      bytes.getInt();
      bytes.get(frame);
      packets.add(new Packet(seconds, fraction, frame));
    }
    return packets;
  }

  private static byte[] capture(byte[] header, List<Packet> packets) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(header, 0, FILE_HEADER_BYTES);
    for (Packet packet : packets) {
      int length = packet.frame.length;
      bytes.writeBytes(
          ByteBuffer.allocate(RECORD_HEADER_BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(packet.seconds)
              .putInt(packet.fraction)
              .putInt(length)
              .putInt(length)
              .array());
      bytes.writeBytes(packet.frame);
    }
    return bytes.toByteArray();
  }

  /** A capture of whole packets, each in a tunnel. */
  static byte[] of(byte[] capture, Kind kind) {
    byte[] head = HexFormat.of().parseHex(kind.header);
    return around(capture, kind, frame -> head, Ends.MIRROR);
  }

  /** A capture of whole packets, each in a tunnel with a VNI or key. */
  static byte[] of(byte[] capture, Kind kind, int network, Ends ends) {
    return around(capture, kind, frame -> kind.header(network), ends);
  }

  /** A capture of which each packet is in the network of the host that it goes to. */
  static byte[] byDestination(byte[] capture, Kind kind) {
    return around(
        capture,
        kind,
        frame -> kind.header(ByteBuffer.wrap(frame).getInt(ETHERNET_BYTES + 16) & 0xff),
        Ends.OVERLAY);
  }

  /** A capture of which each packet's network tells who sent it, as Cilium's identities do. */
  static byte[] bySource(byte[] capture, Kind kind) {
    return around(
        capture,
        kind,
        frame -> kind.header(1_000 + (ByteBuffer.wrap(frame).getInt(ETHERNET_BYTES + 12) & 0xffff)),
        Ends.OVERLAY);
  }

  private static byte[] around(
      byte[] capture, Kind kind, Function<byte[], byte[]> header, Ends ends) {
    return capture(
        capture,
        packets(capture).stream()
            .map(each ->
                new Packet(
                    each.seconds,
                    each.fraction,
                    kind.around(
                        each.frame,
                        header.apply(each.frame),
                        ends.source(each.frame),
                        ends.destination(each.frame))))
            .toList());
  }

  /** A capture without the packets that a number of each so many is. */
  static byte[] without(byte[] capture, int number, int ofEach) {
    List<Packet> all = packets(capture);
    List<Packet> left = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i % ofEach != number) {
        left.add(all.get(i));
      }
    }
    return capture(capture, left);
  }

  /** A capture of the first packets of another. */
  static byte[] upTo(byte[] capture, int packets) {
    return capture(capture, packets(capture).subList(0, packets));
  }

  /** A capture without the first packets of another. */
  static byte[] from(byte[] capture, int packets) {
    List<Packet> all = packets(capture);
    return capture(capture, all.subList(packets, all.size()));
  }

  /** Captures whose times have one unit, as one in the order of time. */
  static byte[] joined(byte[]... captures) {
    List<Packet> all = new ArrayList<>();
    for (byte[] each : captures) {
      all.addAll(packets(each));
    }
    all.sort(Comparator.comparingLong(Packet::time));
    return capture(captures[0], all);
  }

  /** The number of packets. */
  static int size(byte[] capture) {
    return packets(capture).size();
  }
}
