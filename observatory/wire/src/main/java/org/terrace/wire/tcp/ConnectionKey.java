package org.terrace.wire.tcp;

import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.packet.PacketParser;

/** The two endpoints of a packet in their order; one object is filled anew for every packet. */
final class ConnectionKey {
  long lesserHigh;
  long lesserLow;
  long greaterHigh;
  long greaterLow;
  int ports;
  int hash;

  /** Takes the endpoints of a packet and returns its direction. */
  int fill(PacketParser packet) {
    int order = Long.compareUnsigned(packet.sourceLow(), packet.destinationLow());
    if (order == 0) {
      order = Long.compareUnsigned(packet.sourceHigh(), packet.destinationHigh());
    }
    if (order == 0) {
      order = Integer.compare(packet.sourcePort(), packet.destinationPort());
    }
    int direction = order <= 0 ? 0 : 1;
    if (direction == 0) {
      lesserHigh = packet.sourceHigh();
      lesserLow = packet.sourceLow();
      greaterHigh = packet.destinationHigh();
      greaterLow = packet.destinationLow();
      ports = packet.sourcePort() << 16 | packet.destinationPort();
    } else {
      lesserHigh = packet.destinationHigh();
      lesserLow = packet.destinationLow();
      greaterHigh = packet.sourceHigh();
      greaterLow = packet.sourceLow();
      ports = packet.destinationPort() << 16 | packet.sourcePort();
    }
    long mixed = Bytes.mix(lesserLow ^ Bytes.mix(lesserHigh));
    mixed = Bytes.mix(mixed ^ greaterLow ^ Bytes.mix(greaterHigh));
    hash = (int) Bytes.mix(mixed ^ ports);
    return direction;
  }
}
