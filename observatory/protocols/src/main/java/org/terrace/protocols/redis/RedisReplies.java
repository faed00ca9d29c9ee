package org.terrace.protocols.redis;

import java.util.List;
import org.terrace.protocols.decoder.DecoderContext;

/** The replies of a Redis server, and what it says unasked. Confined to one thread. */
final class RedisReplies extends RespStream {
  private static final List<String> MESSAGES = List.of("MESSAGE", "PMESSAGE", "SMESSAGE");
  private static final List<String> CONFIRMATIONS =
      List.of(
          "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE");

  private final RedisDecoder decoder;

  RedisReplies(DecoderContext context, RedisDecoder decoder) {
    super(context);
    this.decoder = decoder;
  }

  @Override
  boolean isPlain(byte[] bytes, int from, int to) {
    return false;
  }

  @Override
  boolean mayBegin(int type) {
    return RespKind.beginsReply(type);
  }

  /** Whether it is what somebody published. */
  boolean isPublished() {
    return isOneOf(MESSAGES);
  }

  /** Whether it confirms that a channel or pattern is subscribed to, or no longer. */
  boolean isConfirmation() {
    return size() == 3 && isOneOf(CONFIRMATIONS);
  }

  private boolean isOneOf(List<String> words) {
    for (String word : words) {
      if (isWord(0, word)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is the command of another connection, with its time in front. */
  boolean isOfMonitor() {
    int first = wordCount() > 0 && wordTo(0) > wordFrom(0) ? words()[wordFrom(0)] : 0;
    return kind() == RespKind.STATUS && first >= '0' && first <= '9';
  }

  @Override
  void message() {
    decoder.reply();
  }

  @Override
  void broken(boolean byGap) {
    decoder.repliesBroken(byGap);
  }
}
