package org.terrace.protocols.decoder;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.server.ServerRole;
import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/** HTTP/1.1, recognised by the method of a request or the version of a response. Stateless. */
final class HttpProtocol implements Protocol {
  private static final byte[] VERSION = Ascii.of("HTTP/1.");
  private static final List<byte[]> METHODS =
      List.of(
          Ascii.of("GET "),
          Ascii.of("POST "),
          Ascii.of("PUT "),
          Ascii.of("HEAD "),
          Ascii.of("DELETE "),
          Ascii.of("OPTIONS "),
          Ascii.of("PATCH "),
          Ascii.of("CONNECT "),
          Ascii.of("TRACE "),
          Ascii.of("PROPFIND"),
          Ascii.of("PROPPATC"),
          Ascii.of("REPORT "),
          Ascii.of("SEARCH "),
          Ascii.of("QUERY "),
          Ascii.of("PURGE "),
          Ascii.of("MKCOL "),
          Ascii.of("COPY "),
          Ascii.of("MOVE "),
          Ascii.of("LOCK "),
          Ascii.of("UNLOCK "));

  @Override
  public String name() {
    return "HTTP/1.1";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    Match best = Match.NO;
    for (byte[] method : METHODS) {
      Match match = ProtocolRegistry.match(bytes, from, to, method);
      if (match == Match.YES) {
        return match;
      }
      best = match == Match.MORE ? match : best;
    }
    return best;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (Bytes.startsWith(bytes, from, to, VERSION)) {
      return Side.SERVER;
    }
    return ofClientStart(bytes, from, to) == Match.YES ? Side.CLIENT : null;
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return switch (entry) {
      case BEGINNING -> new HttpDecoder(context, output);
      case INSIDE -> HttpDecoder.inside(context, output);
      case MID_STREAM -> HttpDecoder.joinedMidStream(context, output);
    };
  }
}
