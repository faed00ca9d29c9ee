package org.terrace.protocols.redis;

import org.terrace.protocols.decoder.DecoderContext;

/** The commands of a Redis client, as arrays of texts or as lines. Confined to one thread. */
final class RedisCommands extends RespStream {
  private static final String REPLY = "REPLY";
  private static final String ON = "ON";
  private static final String OFF = "OFF";
  private static final String SKIP = "SKIP";

  private final RedisDecoder decoder;

  /** Whether the client asked for no replies. */
  private boolean silent;

  /** Commands, this one among them, that are not answered. */
  private int unanswered;

  RedisCommands(DecoderContext context, RedisDecoder decoder) {
    super(context);
    this.decoder = decoder;
  }

  @Override
  boolean isPlain(byte[] bytes, int from, int to) {
    return from == to || isLetter(bytes[from]);
  }

  private static boolean isLetter(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  @Override
  boolean mayBegin(int type) {
    return type == RespKind.ARRAY;
  }

  @Override
  void message() {
    if (wordCount() == 0) {
      return;
    }
    RedisCommand command = RedisCommand.of(this);
    if (command == RedisCommand.CLIENT && isWord(1, REPLY)) {
      setReplies();
    }
    boolean answered = !silent && unanswered == 0;
    unanswered = Math.max(0, unanswered - 1);
    if (answered) {
      decoder.command(command);
    }
  }

  private void setReplies() {
    if (isWord(2, OFF)) {
      silent = true;
    } else if (isWord(2, ON)) {
      silent = false;
    } else if (isWord(2, SKIP)) {
      unanswered = 2;
    }
  }

  @Override
  void broken(boolean byGap) {
    decoder.commandsBroken(byGap);
  }
}
