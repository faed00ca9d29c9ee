package org.terrace.protocols.http2;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.server.ServerRole;
import org.terrace.wire.bytes.Bytes;

/**
 * HTTP/2 without TLS, recognised by the client's preface or the settings of a server that speaks
 * first; in mid-stream by a segment of frames of which the first headers are a request's or a
 * response's. Stateless.
 */
public final class Http2Protocol implements Protocol {
  private static final int START_BYTES = 8;
  private static final int SETTINGS_BYTES_MAX = 240;
  private static final int SETTING_BYTES = 6;
  private static final int FIRST_OF_REQUEST = 2;
  private static final int LAST_OF_REQUEST = 7;
  private static final int LAST_OF_RESPONSE = 14;

  @Override
  public String name() {
    return "HTTP/2";
  }

  @Override
  public ServerRole role() {
    return ServerRole.SERVICE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    // Eight bytes are enough to tell, as for every protocol.
    Match match = ProtocolRegistry.match(bytes, from, to, Http2Frame.PREFACE);
    return match == Match.MORE && to - from >= START_BYTES ? Match.YES : match;
  }

  @Override
  public Match ofServerStart(byte[] bytes, int from, int to) {
    int count = to - from;
    boolean may =
        bytes[from] == 0
            && (count < 2 || bytes[from + 1] == 0)
            && (count < 3 || isLengthOfSettings(Bytes.u8(bytes, from + 2)))
            && (count < 4 || bytes[from + 3] == Http2Frame.SETTINGS)
            && (count < 5 || bytes[from + 4] == 0);
    for (int i = 5; i < Math.min(count, START_BYTES); i++) {
      may &= bytes[from + i] == 0;
    }
    return !may ? Match.NO : count < START_BYTES ? Match.MORE : Match.YES;
  }

  private static boolean isLengthOfSettings(int length) {
    return length % SETTING_BYTES == 0 && length <= SETTINGS_BYTES_MAX;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    int headers = Http2Frame.firstHeaders(bytes, from, to);
    if (headers < 0 || headers == to) {
      return null;
    }
    int body = headers + Http2Frame.HEADER_BYTES;
    int end = Math.min(to, body + Http2Frame.length(bytes, headers));
    int at = Http2Frame.blockFrom(Http2Frame.flags(bytes, headers), body, end);
    while (at < end && (bytes[at] & 0xe0) == 0x20) {
      at++;
    }
    return at < end ? senderOf(bytes[at] & 0xff) : null;
  }

  /** The sender of a block of headers that begins so: the fixed names of its kind come first. */
  private static @Nullable Side senderOf(int first) {
    int number =
        (first & 0x80) != 0 ? first & 0x7f : (first & 0x40) != 0 ? first & 0x3f : first & 0x0f;
    if (number >= FIRST_OF_REQUEST && number <= LAST_OF_REQUEST) {
      return Side.CLIENT;
    }
    return number > LAST_OF_REQUEST && number <= LAST_OF_RESPONSE ? Side.SERVER : null;
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return entry == Entry.MID_STREAM
        ? Http2Decoder.joinedMidStream(context, output)
        : new Http2Decoder(context, output);
  }
}
