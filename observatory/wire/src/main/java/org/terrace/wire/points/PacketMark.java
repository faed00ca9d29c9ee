package org.terrace.wire.points;

import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.packet.PacketParser;

/**
 * The marks by which a TCP packet is known again in another capture; one object is filled anew for
 * every packet. Confined to one thread.
 */
final class PacketMark {
  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;
  private static final int TCP_HEADER_BYTES = 20;

  /** Bytes of payload that are compared: few, as captures may keep different lengths. */
  private static final int COMPARED_BYTES_MAX = 16;

  private long identity;
  private long content;
  private long hosts;
  private boolean fromLesser;
  private long service;
  private long lesserEnd;
  private long greaterEnd;

  /** Takes the marks of a packet. */
  void fill(PacketParser packet, byte[] bytes) {
    ends(packet);
    int payload = packet.payloadBytes();
    int shape = packet.flags() & (FIN | SYN | RST);
    long acknowledged = payload == 0 ? packet.acknowledgement() & 0xffff_ffffL : 0;
    long place = (long) packet.sequence() << 32 | acknowledged;
    long streams = Bytes.mix(lesserEnd ^ Bytes.mix(greaterEnd + (fromLesser ? 1 : 2)));
    identity = Bytes.mix(Bytes.mix(streams ^ place) ^ ((long) payload << 8 | shape));
    long header =
        (long) packet.acknowledgement() << 32
            | (long) packet.identification() << 16
            | packet.window();
    content = Bytes.mix(header ^ Bytes.mix(packet.flags()));
    int options = packet.headerBytes() - TCP_HEADER_BYTES;
    int payloadAt = packet.payloadOffset();
    if (options > 0 && packet.headerCaptured()) {
      content = Bytes.mix(content ^ Bytes.hash(bytes, payloadAt - options, payloadAt));
    }
    int compared = Math.min(payload, COMPARED_BYTES_MAX);
    if (compared > 0 && packet.payloadCaptured() >= compared) {
      content = Bytes.mix(content ^ Bytes.hash(bytes, payloadAt, payloadAt + compared));
    }
  }

  /** Takes no more than the ends of a packet. */
  void ends(PacketParser packet) {
    long source = Bytes.mix(packet.sourceLow() ^ Bytes.mix(packet.sourceHigh()));
    long destination = Bytes.mix(packet.destinationLow() ^ Bytes.mix(packet.destinationHigh()));
    int order = Long.compare(source, destination);
    fromLesser = order == 0 ? packet.sourcePort() <= packet.destinationPort() : order < 0;
    long lesser = fromLesser ? source : destination;
    long greater = fromLesser ? destination : source;
    hosts = Bytes.mix(lesser ^ Bytes.mix(greater ^ 1));
    service = Bytes.mix(hosts ^ Math.min(packet.sourcePort(), packet.destinationPort()));
    int lesserPort = fromLesser ? packet.sourcePort() : packet.destinationPort();
    int greaterPort = fromLesser ? packet.destinationPort() : packet.sourcePort();
    lesserEnd = Bytes.mix(lesser ^ Bytes.mix(lesserPort));
    greaterEnd = Bytes.mix(greater ^ Bytes.mix(greaterPort));
  }

  /** The place of the packet in its stream: the same for a retransmission. */
  long identity() {
    return identity;
  }

  /** A digest of what only this transmission has: its identification, its time stamps. */
  long content() {
    return content;
  }

  /** The two hosts, in either direction. */
  long hosts() {
    return hosts;
  }

  /** Whether the lesser of the two ends sent it. */
  boolean fromLesser() {
    return fromLesser;
  }

  /** The two hosts and the lesser of their ports: the same for all packets of a connection. */
  long service() {
    return service;
  }

  /** The address and port of the lesser end. */
  long lesserEnd() {
    return lesserEnd;
  }

  /** The address and port of the greater end. */
  long greaterEnd() {
    return greaterEnd;
  }

  /** The end that serves if the packet opens a connection or grants it; zero otherwise. */
  long opened(PacketParser packet) {
    if ((packet.flags() & SYN) == 0) {
      return 0;
    }
    boolean granted = (packet.flags() & ACK) != 0;
    return granted == fromLesser ? lesserEnd : greaterEnd;
  }
}
