package org.terrace.protocols.correlated;

/**
 * The facts that a message tells of itself. Filled anew for every message; confined to one thread.
 */
final class MessageHead {
  private static final int NAME_BYTES_MAX = 40;

  /** By this an answer finds its request. */
  long id;

  /** Whether a request is answered at all. */
  boolean answered;

  /** Whether an answer says that the request failed. */
  boolean failed;

  /** Whether further messages belong to this answer. */
  boolean more;

  /** Whether further answers come unasked. */
  boolean follows;

  /** What the format makes of its header. */
  int kind;

  private final byte[] name = new byte[NAME_BYTES_MAX];
  private int nameLength;

  void clear() {
    id = 0;
    answered = true;
    failed = false;
    more = false;
    follows = false;
    kind = 0;
    nameLength = 0;
  }

  void name(String text) {
    nameLength = Math.min(text.length(), NAME_BYTES_MAX);
    for (int i = 0; i < nameLength; i++) {
      name[i] = (byte) text.charAt(i);
    }
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
