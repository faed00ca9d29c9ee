package org.terrace.protocols.memcached;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.memcached.TextCommand.Answer;
import org.terrace.protocols.text.Ascii;

/** The commands of a client of Memcached. Confined to one thread. */
final class TextCommands extends TextStream {
  private static final byte[] NO_REPLY = Ascii.of("noreply");

  private final TextDecoder decoder;
  private final LineWords words = new LineWords();
  private @Nullable TextCommand command;
  private boolean answered;

  TextCommands(DecoderContext context, TextDecoder decoder) {
    super(context);
    this.decoder = decoder;
  }

  @Override
  long line(byte[] bytes, int from, int to) {
    words.find(bytes, from, to);
    if (words.count() == 0) {
      return NO_VALUE;
    }
    TextCommand found = TextCommand.of(bytes, words.start(0), words.end(0));
    if (found == null && (bytes[from] < 'A' || bytes[from] > 'z')) {
      broken(false);
      return NO_VALUE;
    }
    command = found;
    answered = found == null || isAnswered(found);
    long valueBytes =
        found == null || found.lengthWord == 0 ? NO_VALUE : words.number(found.lengthWord);
    if (valueBytes == NO_VALUE) {
      valueEnds();
    }
    return valueBytes;
  }

  /** Whether an answer comes for sure. */
  private boolean isAnswered(TextCommand found) {
    if (found.isMeta()) {
      return !words.isQuiet();
    }
    return found.answer != Answer.NONE && !words.lastIs(NO_REPLY);
  }

  @Override
  void valueEnds() {
    decoder.command(command, answered);
  }

  @Override
  void broken(boolean byGap) {
    decoder.commandsBroken(byGap);
  }
}
