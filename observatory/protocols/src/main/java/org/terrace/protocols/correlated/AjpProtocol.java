package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/** AJP 1.3, recognised by the mark of a message and the request or answer in it. Stateless. */
public final class AjpProtocol implements Protocol {
  private static final int TELLING_BYTES = 9;
  private static final int PROBE_BYTES = 5;
  private static final int PROBE = 10;

  @Override
  public String name() {
    return "AJP";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!AjpFormat.beginsRequest(bytes, from, to)) {
      return Match.NO;
    }
    boolean probe = to - from == PROBE_BYTES && bytes[to - 1] == PROBE;
    return to - from >= TELLING_BYTES || probe ? Match.YES : Match.MORE;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (mayBegin(true, bytes, from, to)) {
      return Side.CLIENT;
    }
    return mayBegin(false, bytes, from, to) ? Side.SERVER : null;
  }

  private static boolean mayBegin(boolean ofClient, byte[] bytes, int from, int to) {
    return ofClient
        ? to - from >= PROBE_BYTES && AjpFormat.beginsRequest(bytes, from, to)
        : AjpFormat.beginsAnswer(bytes, from, to);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new AjpFormat(context), AjpProtocol::mayBegin);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
