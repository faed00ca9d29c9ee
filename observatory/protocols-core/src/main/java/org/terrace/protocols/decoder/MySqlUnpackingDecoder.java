package org.terrace.protocols.decoder;

import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * The rest of a connection of MySQL behind a login that asks for compression by zlib: both
 * directions are unpacked and read on by the decoder that read the login. Behind a loss it goes on
 * with a segment of the client that is one packet and begins a command. Confined to one thread
 * (docs/decisions/0277).
 */
final class MySqlUnpackingDecoder implements Decoder {
  private final MySqlDecoder packets;
  private final MySqlUnpacking client;
  private final MySqlUnpacking server;

  MySqlUnpackingDecoder(DecoderContext context, MySqlDecoder packets) {
    this.packets = packets;
    client =
        new MySqlUnpacking(
            context,
            new MySqlUnpacking.Unpacked() {
              @Override
              public void data(byte[] bytes, int from, int to, Moment moment) {
                packets.clientPackets(bytes, from, to, moment);
              }

              @Override
              public void missing(long byteCount, Moment moment) {
                packets.clientPacketsMissing(byteCount, moment);
              }

              @Override
              public void lost(Moment moment) {
                packets.packetsLost(true, moment);
              }
            });
    server =
        new MySqlUnpacking(
            context,
            new MySqlUnpacking.Unpacked() {
              @Override
              public void data(byte[] bytes, int from, int to, Moment moment) {
                packets.serverPackets(bytes, from, to, moment);
              }

              @Override
              public void missing(long byteCount, Moment moment) {
                packets.serverPacketsMissing(byteCount, moment);
              }

              @Override
              public void lost(Moment moment) {
                packets.packetsLost(false, moment);
              }
            });
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    boolean lost = client.isLost() || server.isLost();
    if (lost && MySqlUnpacking.isWholeCommand(bytes, from, to)) {
      client.found();
      server.found();
    }
    client.accept(bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    if (server.isLost()) {
      packets.serverPacketsMissing(to - from, moment);
    } else {
      server.accept(bytes, from, to, moment);
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    client.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    server.missing(byteCount, moment);
  }

  @Override
  public void serverFinished(Moment moment) {}

  @Override
  public void end(Ending ending, Moment moment) {
    client.release();
    server.release();
  }
}
