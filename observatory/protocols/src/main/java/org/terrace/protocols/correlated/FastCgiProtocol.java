package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/**
 * FastCGI, recognised by the record that begins a request, or by a record of an answer. Stateless.
 */
public final class FastCgiProtocol implements Protocol {
  private static final int TELLING_BYTES = 10;

  @Override
  public String name() {
    return "FastCGI";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!FastCgiFormat.isBeginning(bytes, from, to)) {
      return Match.NO;
    }
    return to - from < TELLING_BYTES ? Match.MORE : Match.YES;
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
        ? to - from >= TELLING_BYTES && FastCgiFormat.isBeginning(bytes, from, to)
        : FastCgiFormat.isAnswer(bytes, from, to);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(
            context, output, new FastCgiFormat(context), FastCgiProtocol::mayBegin);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
