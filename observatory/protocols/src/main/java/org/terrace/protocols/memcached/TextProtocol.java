package org.terrace.protocols.memcached;

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
 * Memcached's text protocol, recognised by the word of a command; in mid-stream by the whole line
 * of a command, or by a line with which the server begins an answer. Stateless.
 */
public final class TextProtocol implements Protocol {
  private static final TextCommand[] COMMANDS = TextCommand.values();
  private static final byte[] VALUE = Ascii.of("VALUE ");
  private static final List<byte[]> WHOLE_ANSWERS =
      List.of(
          Ascii.of("STORED\r\n"),
          Ascii.of("NOT_STORED\r\n"),
          Ascii.of("EXISTS\r\n"),
          Ascii.of("NOT_FOUND\r\n"),
          Ascii.of("DELETED\r\n"),
          Ascii.of("TOUCHED\r\n"),
          Ascii.of("END\r\n"));
  private static final int VALUE_WORDS_MIN = 4;
  private static final int VALUE_WORDS_MAX = 5;

  @Override
  public String name() {
    return "Memcached text";
  }

  @Override
  public ServerRole role() {
    return ServerRole.CACHE;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    Match best = Match.NO;
    for (TextCommand command : COMMANDS) {
      byte[] word = command.word();
      Match match = ProtocolRegistry.match(bytes, from, to, word);
      int behind = from + word.length;
      if (match == Match.YES && behind < to) {
        match = bytes[behind] == ' ' || bytes[behind] == '\r' ? Match.YES : Match.NO;
      } else if (match == Match.YES) {
        match = Match.MORE;
      }
      if (match == Match.YES) {
        return match;
      }
      best = match == Match.MORE ? match : best;
    }
    return best;
  }

  /** Whether a segment begins with the whole line of a command that is known. */
  static boolean beginsCommand(byte[] bytes, int from, int to) {
    int newline = Bytes.indexOf(bytes, from, to, (byte) '\n');
    if (newline <= from || bytes[newline - 1] != '\r') {
      return false;
    }
    LineWords words = new LineWords();
    words.find(bytes, from, newline - 1);
    TextCommand command =
        words.count() == 0 ? null : TextCommand.of(bytes, words.start(0), words.end(0));
    return command != null
        && words.start(0) == from
        && (command.lengthWord == 0 || words.number(command.lengthWord) >= 0);
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    for (byte[] answer : WHOLE_ANSWERS) {
      if (Bytes.equal(bytes, from, to, answer)) {
        return Side.SERVER;
      }
    }
    if (Bytes.startsWith(bytes, from, to, VALUE)) {
      return isValue(bytes, from, to) ? Side.SERVER : null;
    }
    return beginsCommand(bytes, from, to) ? Side.CLIENT : null;
  }

  private static boolean isValue(byte[] bytes, int from, int to) {
    int newline = Bytes.indexOf(bytes, from, to, (byte) '\n');
    if (newline <= from || bytes[newline - 1] != '\r') {
      return false;
    }
    LineWords words = new LineWords();
    words.find(bytes, from, newline - 1);
    return words.count() >= VALUE_WORDS_MIN
        && words.count() <= VALUE_WORDS_MAX
        && words.number(2) >= 0
        && words.number(VALUE_WORDS_MIN - 1) >= 0;
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    TextDecoder decoder = new TextDecoder(context, output);
    return entry == Entry.MID_STREAM ? decoder.joinMidStream() : decoder;
  }
}
