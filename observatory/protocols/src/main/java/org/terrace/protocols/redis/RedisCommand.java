package org.terrace.protocols.redis;

import java.util.List;
import org.terrace.observation.RequestClass;
import org.terrace.protocols.decoder.DecoderContext;

/**
 * The commands that are not simply answered by one reply, and those of which the second word names
 * what is asked.
 */
enum RedisCommand {
  SUBSCRIBE(AnswerKind.CONFIRMATIONS),
  PSUBSCRIBE(AnswerKind.CONFIRMATIONS),
  SSUBSCRIBE(AnswerKind.CONFIRMATIONS),
  UNSUBSCRIBE(AnswerKind.CONFIRMATIONS),
  PUNSUBSCRIBE(AnswerKind.CONFIRMATIONS),
  SUNSUBSCRIBE(AnswerKind.CONFIRMATIONS),
  MONITOR(AnswerKind.THEN_OTHERS),
  PSYNC(AnswerKind.THEN_REPLICATION),
  SYNC(AnswerKind.REPLICATION),
  CLIENT(AnswerKind.REPLY),
  /** Any other. */
  OTHER(AnswerKind.REPLY);

  /** The ways in which a server answers a command. */
  enum AnswerKind {
    REPLY,
    /** One for each channel or pattern. */
    CONFIRMATIONS,
    /** A reply, and from then on the commands of other connections. */
    THEN_OTHERS,
    /** A reply, and from then on what changes the data. */
    THEN_REPLICATION,
    /** The changes of the data, at once. */
    REPLICATION
  }

  private static final String UNKNOWN = "(unknown command)";
  private static final RedisCommand[] ALL = values();

  /** Commands with commands of their own. */
  private static final List<String> CONTAINERS =
      List.of(
          "CLIENT",
          "CONFIG",
          "CLUSTER",
          "COMMAND",
          "ACL",
          "DEBUG",
          "FUNCTION",
          "LATENCY",
          "MEMORY",
          "MODULE",
          "OBJECT",
          "PUBSUB",
          "SCRIPT",
          "SENTINEL",
          "SLOWLOG",
          "XGROUP",
          "XINFO");

  /** Commands that wait by their client's own wish, for data or for replicas. */
  private static final List<String> WAITING =
      List.of(
          "BLPOP",
          "BRPOP",
          "BLMOVE",
          "BLMPOP",
          "BRPOPLPUSH",
          "BZPOPMIN",
          "BZPOPMAX",
          "BZMPOP",
          "WAIT",
          "WAITAOF");

  /** Commands that wait when they say so, in front of the streams. */
  private static final List<String> WAITING_IF_ASKED = List.of("XREAD", "XREADGROUP");

  private static final String ASKS_TO_WAIT = "BLOCK";
  private static final String STREAMS = "STREAMS";

  /** The length of the longest class. */
  static final int CLASS_BYTES_MAX =
      2 * RespStream.WORD_BYTES_MAX + 1 + RequestClass.WAITS.length();

  final AnswerKind answer;

  RedisCommand(AnswerKind answer) {
    this.answer = answer;
  }

  /** The command of a message. */
  static RedisCommand of(RespStream message) {
    for (RedisCommand command : ALL) {
      if (message.isWord(0, command.name())) {
        return command;
      }
    }
    return OTHER;
  }

  /**
   * The class of a command: its name in capitals, that of its part where it has parts, and whether
   * it may wait by its client's own wish.
   *
   * @param name an array to make the name in
   */
  static int classOf(DecoderContext context, RespStream message, byte[] name) {
    int length = word(message, 0, name, 0);
    if (length > 0 && message.wordCount() > 1 && isContainer(message)) {
      name[length] = ' ';
      int end = word(message, 1, name, length + 1);
      length = end > length + 1 ? end : length;
    }
    if (length > 0 && mayWait(message)) {
      for (int i = 0; i < RequestClass.WAITS.length(); i++) {
        name[length++] = (byte) RequestClass.WAITS.charAt(i);
      }
    }
    return length == 0 ? context.classes.of(UNKNOWN) : context.classes.of(name, length);
  }

  private static boolean isContainer(RespStream message) {
    return isOneOf(CONTAINERS, message);
  }

  private static boolean isOneOf(List<String> commands, RespStream message) {
    for (String command : commands) {
      if (message.isWord(0, command)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayWait(RespStream message) {
    if (isOneOf(WAITING, message)) {
      return true;
    }
    if (isOneOf(WAITING_IF_ASKED, message)) {
      for (int i = 1; i < message.wordCount() && !message.isWord(i, STREAMS); i++) {
        if (message.isWord(i, ASKS_TO_WAIT)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Adds a word in capitals: the index behind it, or where it would begin if it is no name. */
  private static int word(RespStream message, int index, byte[] name, int at) {
    int end = at;
    if (index < message.wordCount()) {
      for (int i = message.wordFrom(index); i < message.wordTo(index); i++) {
        int c = message.words()[i];
        if (c >= 'a' && c <= 'z') {
          c -= 'a' - 'A';
        }
        if (!isOfName(c)) {
          return at;
        }
        name[end++] = (byte) c;
      }
    }
    return end;
  }

  private static boolean isOfName(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  }
}
