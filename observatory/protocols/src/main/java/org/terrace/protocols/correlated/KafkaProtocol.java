package org.terrace.protocols.correlated;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.server.ServerRole;

/**
 * Kafka, recognised by the header of a request: its length, a key that is known, a version and the
 * name of the client. An answer has nothing that tells it. Stateless.
 */
public final class KafkaProtocol implements Protocol {
  /** A connection begins with a question about versions, about topics, or about a user. */
  private static final int FIRST_BYTES_MAX = 1 << 20;

  private static final int TELLING_BYTES = 14;

  @Override
  public String name() {
    return "Kafka";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (!KafkaFormat.isSound(bytes, from, to, FIRST_BYTES_MAX)) {
      return Match.NO;
    }
    return to - from < TELLING_BYTES ? Match.MORE : Match.YES;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    return KafkaFormat.isRequest(bytes, from, to) ? Side.CLIENT : null;
  }

  private static boolean mayBegin(boolean ofClient, byte[] bytes, int from, int to) {
    // Of the server's segments those are taken that answer somebody.
    return !ofClient || KafkaFormat.isRequest(bytes, from, to);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    CorrelatedDecoder decoder =
        new CorrelatedDecoder(context, output, new KafkaFormat(), KafkaProtocol::mayBegin);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
