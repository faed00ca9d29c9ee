package org.terrace.protocols.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.server.ServerRole;
import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/**
 * Redis (RESP2 and RESP3), recognised by a command as an array of texts or by a line that begins as
 * connections of people and health checks do; in mid-stream by a whole command that is known, or by
 * a whole reply. Stateless.
 */
public final class RedisProtocol implements Protocol {
  private static final int COUNT_DIGITS_MAX = 5;
  private static final int NAME_BYTES_MAX = 20;

  private static final List<byte[]> LINES =
      List.of(
          Ascii.of("PING\r\n"),
          Ascii.of("INFO\r\n"),
          Ascii.of("AUTH "),
          Ascii.of("HELLO 2"),
          Ascii.of("HELLO 3"),
          Ascii.of("MONITOR\r"));

  /** The beginnings of a server's words to a connection that it refuses. */
  private static final List<byte[]> REFUSALS = List.of(Ascii.of("-ERR max"), Ascii.of("-DENIED "));

  private static final List<byte[]> WHOLE_REPLIES =
      List.of(
          Ascii.of("+OK\r\n"), Ascii.of("+PONG\r\n"), Ascii.of("+QUEUED\r\n"), Ascii.of("$-1\r\n"));

  private static final byte[] PUBLISHED = Ascii.of("$7\r\nmessage\r\n");
  private static final byte[] LINE_END = Ascii.of("\r\n");

  @Override
  public String name() {
    return "Redis";
  }

  @Override
  public ServerRole role() {
    return ServerRole.CACHE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    if (bytes[from] != RespKind.ARRAY) {
      return oneOf(LINES, bytes, from, to);
    }
    int at = from + 1;
    while (at < to && isDigit(bytes[at]) && at - from <= COUNT_DIGITS_MAX) {
      at++;
    }
    if (at == to) {
      return Match.MORE;
    }
    if (at == from + 1) {
      return Match.NO;
    }
    int rest = Math.min(to, at + LINE_END.length);
    Match lineEnd = ProtocolRegistry.match(bytes, at, rest, LINE_END);
    if (lineEnd != Match.YES) {
      return lineEnd;
    }
    int first = at + LINE_END.length;
    return first == to || bytes[first] == RespKind.TEXT ? Match.YES : Match.NO;
  }

  @Override
  public Match ofServerStart(byte[] bytes, int from, int to) {
    return oneOf(REFUSALS, bytes, from, to);
  }

  private static Match oneOf(List<byte[]> texts, byte[] bytes, int from, int to) {
    Match best = Match.NO;
    for (byte[] text : texts) {
      Match match = ProtocolRegistry.match(bytes, from, to, text);
      if (match == Match.YES) {
        return match;
      }
      best = match == Match.MORE ? match : best;
    }
    return best;
  }

  /** Whether a segment begins with a command, as an array of texts. */
  static boolean beginsCommand(byte[] bytes, int from, int to) {
    return nameAt(bytes, from, to) >= 0;
  }

  /** The index of the length of the name of the command that begins a segment, or -1. */
  private static int nameAt(byte[] bytes, int from, int to) {
    int text = from < to && bytes[from] == RespKind.ARRAY ? afterNumber(bytes, from + 1, to) : -1;
    return text >= 0 && text < to && bytes[text] == RespKind.TEXT ? text + 1 : -1;
  }

  /** The index behind a number and its line, or -1 if there is none. */
  private static int afterNumber(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isDigit(bytes[at]) && at - from < COUNT_DIGITS_MAX) {
      at++;
    }
    return at > from && Bytes.startsWith(bytes, at, to, LINE_END) ? at + LINE_END.length : -1;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    for (byte[] reply : WHOLE_REPLIES) {
      if (Bytes.equal(bytes, from, to, reply)) {
        return Side.SERVER;
      }
    }
    int name = nameAt(bytes, from, to);
    if (name >= 0) {
      if (Bytes.startsWith(bytes, name - 1, to, PUBLISHED)) {
        return Side.SERVER;
      }
      return isCommandName(bytes, name, to) ? Side.CLIENT : null;
    }
    return isText(bytes, from, to) ? Side.SERVER : null;
  }

  /** Whether a text is a command that clients send, so that it is no element of a reply. */
  private static boolean isCommandName(byte[] bytes, int lengthAt, int to) {
    int at = afterNumber(bytes, lengthAt, to);
    if (at < 0) {
      return false;
    }
    long length = Ascii.decimal(bytes, lengthAt, at - LINE_END.length, COUNT_DIGITS_MAX);
    if (length < 1 || length > NAME_BYTES_MAX || to - at < length) {
      return false;
    }
    return RedisNames.isCommon(bytes, at, at + (int) length);
  }

  /** A text that fills the segment. */
  private static boolean isText(byte[] bytes, int from, int to) {
    if (from == to || bytes[from] != RespKind.TEXT) {
      return false;
    }
    int at = afterNumber(bytes, from + 1, to);
    if (at < 0) {
      return false;
    }
    long length = Ascii.decimal(bytes, from + 1, at - LINE_END.length, COUNT_DIGITS_MAX);
    return at + length + LINE_END.length == to
        && Bytes.startsWith(bytes, to - LINE_END.length, to, LINE_END);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return entry == Entry.MID_STREAM
        ? RedisDecoder.joinedMidStream(context, output)
        : new RedisDecoder(context, output);
  }
}
