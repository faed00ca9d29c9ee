package org.terrace.microbenchmarks;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Conversations;
import org.terrace.wire.tcp.Moment;
import org.terrace.wire.tcp.Reassembler;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TrafficTable;

/** The packets of one capture, held in memory each by itself. Immutable. */
final class Packets {
  private static final TcpLimits LIMITS =
      new TcpLimits(65_536, 1 << 20, 32 << 20, 3_600_000_000_000L);
  private static final int REORDER_PACKETS = 64;

  /** One packet: its bytes, which nobody changes, and what the capture says of it. */
  private record Packet(byte[] bytes, int wireBytes, int linkType, long timeNanos) {
    /** The place of addresses and ports in Ethernet, IPv4 without options, and TCP. */
    private static final int ENDPOINTS_FROM = 26;

    private static final int ENDPOINTS_TO = 38;

    boolean isFollowedInStreamBy(Packet next) {
      return wireBytes > TcpCapture.HEADER_BYTES
          && next.wireBytes > TcpCapture.HEADER_BYTES
          && Arrays.equals(
              bytes, ENDPOINTS_FROM, ENDPOINTS_TO, next.bytes, ENDPOINTS_FROM, ENDPOINTS_TO);
    }
  }

  private final List<Packet> packets;

  private Packets(List<Packet> packets) {
    this.packets = List.copyOf(packets);
  }

  /** The packets of a capture, in order of time. */
  static Packets of(byte[] capture) {
    PacketStream stream =
        new PacketStream(
            "benchmark",
            new ByteArrayInputStream(capture),
            REORDER_PACKETS,
            new Counters(),
            new HostNames());
    List<Packet> packets = new ArrayList<>();
    while (stream.next()) {
      int from = stream.offset();
      packets.add(
          new Packet(
              Arrays.copyOfRange(stream.bytes(), from, from + stream.capturedBytes()),
              stream.wireBytes(),
              stream.linkType(),
              stream.timeNanos()));
    }
    return new Packets(packets);
  }

  /** The same packets; of neighbours of one stream with data, every two have changed places. */
  Packets swapped() {
    List<Packet> swapped = new ArrayList<>(packets);
    for (int i = 1; i < swapped.size(); i++) {
      if (swapped.get(i - 1).isFollowedInStreamBy(swapped.get(i))) {
        Collections.swap(swapped, i - 1, i);
        i++;
      }
    }
    return new Packets(swapped);
  }

  /** Parses every packet, puts the streams in order and hands them over. */
  void reassemble(Conversations conversations) {
    Reassembler reassembler =
        new Reassembler(LIMITS, new Counters(), new TrafficTable(), conversations);
    PacketParser parser = new PacketParser();
    Moment moment = new Moment();
    long number = 0;
    for (Packet packet : packets) {
      number++;
      PacketParser.Kind kind =
          parser.parse(
              packet.bytes(), 0, packet.bytes().length, packet.wireBytes(), packet.linkType());
      if (kind == PacketParser.Kind.TCP) {
        moment.set(packet.timeNanos(), number);
        reassembler.packet(parser, packet.bytes(), packet.wireBytes(), moment);
      }
    }
    reassembler.end();
  }
}
