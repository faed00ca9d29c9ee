package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/** MongoDB's wire protocol, recognised by the headers of messages. Stateless. */
public final class MongoProtocol implements Protocol {
  private static final int GREETING_BYTES_MAX = 1 << 16;
  private static final int NUMBER_BYTES = 4;

  @Override
  public String name() {
    return "MongoDB";
  }

  @Override
  public ServerRole role() {
    return ServerRole.DATABASE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (to - from < MongoFormat.HEADER_BYTES) {
      int length = MongoFormat.number(bytes, from, to);
      boolean may =
          to - from < NUMBER_BYTES
              || (length > MongoFormat.HEADER_BYTES && length < GREETING_BYTES_MAX);
      return may ? Match.MORE : Match.NO;
    }
    return MongoFormat.isSound(true, bytes, from, to) ? Match.YES : Match.NO;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (isMessage(true, bytes, from, to)) {
      return Side.CLIENT;
    }
    return isMessage(false, bytes, from, to) ? Side.SERVER : null;
  }

  private static boolean isMessage(boolean ofClient, byte[] bytes, int from, int to) {
    return to - from >= MongoFormat.HEADER_BYTES && MongoFormat.isSound(ofClient, bytes, from, to);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new MongoFormat(), MongoProtocol::isMessage);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
