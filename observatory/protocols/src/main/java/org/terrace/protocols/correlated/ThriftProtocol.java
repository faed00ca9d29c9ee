package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/**
 * Thrift in frames, recognised by the length of a frame and the mark of its message. Without frames
 * nothing tells where a message ends. Stateless.
 */
public final class ThriftProtocol implements Protocol {
  private static final int FRAME_BYTES_MAX = 256 << 20;
  private static final int TELLING_BYTES = 8;

  @Override
  public String name() {
    return "Thrift";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!ThriftFormat.isSound(true, bytes, from, to, FRAME_BYTES_MAX)) {
      return Match.NO;
    }
    return to - from < TELLING_BYTES ? Match.MORE : Match.YES;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (isFrame(true, bytes, from, to)) {
      return Side.CLIENT;
    }
    return isFrame(false, bytes, from, to) ? Side.SERVER : null;
  }

  private static boolean isFrame(boolean ofClient, byte[] bytes, int from, int to) {
    return to - from >= TELLING_BYTES
        && ThriftFormat.isSound(ofClient, bytes, from, to, FRAME_BYTES_MAX);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new ThriftFormat(), ThriftProtocol::isFrame);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
