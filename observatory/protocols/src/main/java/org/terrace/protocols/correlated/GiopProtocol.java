package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/** CORBA's inter-ORB protocol, recognised by the four letters of every message. Stateless. */
public final class GiopProtocol implements Protocol {
  private static final int TELLING_BYTES = 8;
  private static final int TYPE_AT = 7;

  @Override
  public String name() {
    return "GIOP";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!GiopFormat.isSound(bytes, from, to)) {
      return Match.NO;
    }
    return to - from < TELLING_BYTES ? Match.MORE : Match.YES;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (isMessage(true, bytes, from, to)) {
      return Side.CLIENT;
    }
    return isMessage(false, bytes, from, to) ? Side.SERVER : null;
  }

  private static boolean isMessage(boolean ofClient, byte[] bytes, int from, int to) {
    return to - from >= TELLING_BYTES
        && GiopFormat.isSound(bytes, from, to)
        && GiopFormat.isOf(ofClient, bytes[from + TYPE_AT]);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new GiopFormat(), GiopProtocol::isMessage);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
