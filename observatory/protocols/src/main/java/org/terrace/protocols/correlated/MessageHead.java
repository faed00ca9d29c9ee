package org.terrace.protocols.correlated;

/**
 * The facts that a message tells of itself. Filled anew for every message; confined to one thread.
 */
final class MessageHead {
  private static final int NAME_BYTES_MAX = 64;

  /** The number by which an answer finds its request. */
  long id;

  /** {@link #requestClass}: the name tells it. */
  static final int BY_NAME = -1;

  /** Whether a request is answered at all, or what the server says answers somebody. */
  boolean answered;

  /** Whether it is a further part of a request that began before. */
  boolean continues;

  /** Whether an answer says that the request failed. */
  boolean failed;

  /** Whether it is the only part of an answer that tells whether the request failed. */
  boolean settles;

  /** Whether further messages belong to this answer. */
  boolean more;

  /** Whether further answers come unasked. */
  boolean follows;

  /** The kind of the message in its format's own numbers. */
  int kind;

  /** The number of a request's class, or {@link #BY_NAME}. */
  int requestClass;

  private final byte[] name = new byte[NAME_BYTES_MAX];
  private int nameLength;

  void clear() {
    id = 0;
    answered = true;
    continues = false;
    failed = false;
    settles = false;
    more = false;
    follows = false;
    kind = 0;
    requestClass = BY_NAME;
    nameLength = 0;
  }

  void name(String text) {
    nameLength = 0;
    add(text);
  }

  /** Adds to the name, as far as there is room. */
  void add(String text) {
    for (int i = 0; i < text.length() && nameLength < NAME_BYTES_MAX; i++) {
      name[nameLength++] = (byte) text.charAt(i);
    }
  }

  /** Adds a number that is not negative to the name. */
  void add(int number) {
    if (number >= 10) {
      add(number / 10);
    }
    if (nameLength < NAME_BYTES_MAX) {
      name[nameLength++] = (byte) ('0' + number % 10);
    }
  }

  /** Takes a name of printable characters, or its beginning; none if there are others. */
  void text(byte[] bytes, int from, int to) {
    nameLength = 0;
    int end = Math.min(to, from + NAME_BYTES_MAX);
    for (int at = from; at < end; at++) {
      if (bytes[at] <= ' ' || bytes[at] >= 0x7f) {
        nameLength = 0;
        return;
      }
      name[nameLength++] = bytes[at];
    }
  }

  /** Whether it tells the class of a request. */
  boolean isNamed() {
    return nameLength > 0 || requestClass != BY_NAME;
  }

  /** Takes a name of letters and digits up to a zero; none if it is no name. */
  void name(byte[] bytes, int from, int to) {
    nameLength = 0;
    int at = from;
    while (at < to && bytes[at] != 0 && at - from < NAME_BYTES_MAX) {
      if (!Character.isLetterOrDigit(bytes[at]) && bytes[at] != '_') {
        return;
      }
      name[at - from] = bytes[at];
      at++;
    }
    nameLength = at < to && bytes[at] == 0 ? at - from : 0;
  }

  byte[] name() {
    return name;
  }

  int nameLength() {
    return nameLength;
  }
}
