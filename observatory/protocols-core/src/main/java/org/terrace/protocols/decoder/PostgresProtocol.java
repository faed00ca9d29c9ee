package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.server.ServerRole;
import org.terrace.wire.bytes.Bytes;

/**
 * PostgreSQL's protocol, version 3, recognised by the startup message, by a ReadyForQuery at the
 * end of a server's segment, or by whole messages of a client that end a turn. Stateless.
 */
final class PostgresProtocol implements Protocol {
  private static final int READY_BYTES = 6;
  private static final int STARTUP_BYTES = 8;

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public ServerRole role() {
    return ServerRole.DATABASE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (bytes[from] != 0) {
      return Match.NO;
    }
    if (to - from < STARTUP_BYTES) {
      return Match.MORE;
    }
    return PostgresStartup.looksLikeStart(bytes, from) ? Match.YES : Match.NO;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (endsWithReady(bytes, from, to)) {
      return Side.SERVER;
    }
    return isOfClient(bytes, from, to) ? Side.CLIENT : null;
  }

  private static boolean endsWithReady(byte[] bytes, int from, int to) {
    int at = to - READY_BYTES;
    return at >= from
        && bytes[at] == 'Z'
        && Bytes.i32(bytes, at + 1) == READY_BYTES - 1
        && (bytes[to - 1] == 'I' || bytes[to - 1] == 'T' || bytes[to - 1] == 'E');
  }

  /** Whole messages of a client that fill the segment and end a turn. */
  private static boolean isOfClient(byte[] bytes, int from, int to) {
    int at = from;
    int last = 0;
    while (to - at >= 5 && PostgresClient.isClientType(bytes[at])) {
      int length = Bytes.i32(bytes, at + 1);
      if (length < 4 || length > to - at - 1) {
        return false;
      }
      last = bytes[at];
      at += 1 + length;
    }
    return at == to && (last == 'S' || last == 'Q');
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return entry == Entry.MID_STREAM
        ? PostgresDecoder.joinedMidStream(context, output)
        : new PostgresDecoder(context, output);
  }
}
