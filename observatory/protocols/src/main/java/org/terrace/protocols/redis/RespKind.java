package org.terrace.protocols.redis;

/** The first bytes of RESP's elements, and what else a message may be. */
final class RespKind {
  /** A line of plain words: a command as people type it. */
  static final int PLAIN = 1;

  static final int STATUS = '+';
  static final int ERROR = '-';
  static final int NUMBER = ':';
  static final int TEXT = '$';
  static final int ARRAY = '*';
  static final int NOTHING = '_';
  static final int BOOLEAN = '#';
  static final int DOUBLE = ',';
  static final int BIG_NUMBER = '(';
  static final int BULK_ERROR = '!';
  static final int VERBATIM = '=';
  static final int MAP = '%';
  static final int SET = '~';
  static final int PUSH = '>';

  /** Precedes an element and tells something of it. */
  static final int ATTRIBUTE = '|';

  /** In place of a length: a null. */
  static final long NULL = -1;

  /** In place of a length: none. */
  static final long NO_LENGTH = -2;

  private static final String OF_REPLIES = "+-:$*_#,(!=%~>|";

  private RespKind() {}

  /** Whether a reply may begin so. */
  static boolean beginsReply(int type) {
    return OF_REPLIES.indexOf(type) >= 0;
  }
}
