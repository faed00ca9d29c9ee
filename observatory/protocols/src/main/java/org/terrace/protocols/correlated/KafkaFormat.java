package org.terrace.protocols.correlated;

import org.terrace.observation.RequestClass;
import org.terrace.wire.bytes.Bytes;

/**
 * Kafka's protocol: an answer has the correlation id of its request, and nothing else that tells of
 * it. A request's name is that of its key, with its version. One that produces without asking for
 * acknowledgements ({@code acks=0}) is not answered. Stateless.
 */
final class KafkaFormat implements MessageFormat {
  /** Length, key, version and correlation id. */
  static final int REQUEST_HEADER_BYTES = 12;

  private static final int ANSWER_HEADER_BYTES = 8;
  private static final int LENGTH_BYTES = 4;
  private static final int LENGTH_MAX = 1 << 30;
  private static final int BYTES_READ = 512;
  private static final int NO_TEXT = 0xffff;
  private static final int CLIENT_NAME_BYTES_MAX = 1_024;
  private static final int SHORT_BYTES = 2;

  /** Requests of this version and later name a transaction. */
  private static final int PRODUCES_IN_TRANSACTIONS = 3;

  /** Requests of this version and later have lengths of variable length. */
  private static final int PRODUCES_FLEXIBLY = 9;

  /**
   * Whether a request may begin here, as far as its bytes are there.
   *
   * @param lengthMax the length at most
   */
  static boolean isSound(byte[] bytes, int at, int to, int lengthMax) {
    int count = to - at;
    long length = count < LENGTH_BYTES ? REQUEST_HEADER_BYTES : Bytes.u32(bytes, at);
    int key = count < 6 ? 0 : Bytes.u16(bytes, at + 4);
    int version = count < 8 ? 0 : Bytes.u16(bytes, at + 6);
    int name = count < 14 ? NO_TEXT : Bytes.u16(bytes, at + REQUEST_HEADER_BYTES);
    return (bytes[at] & 0xc0) == 0
        && length >= REQUEST_HEADER_BYTES - SHORT_BYTES
        && length <= lengthMax
        && KafkaApi.isKnown(key)
        && version <= KafkaApi.VERSION_MAX
        && (name == NO_TEXT || (name <= CLIENT_NAME_BYTES_MAX && name + 10 <= length));
  }

  /** Whether a segment begins with a request whose client has a name, or that fills it. */
  static boolean isRequest(byte[] bytes, int from, int to) {
    int name = from + REQUEST_HEADER_BYTES + SHORT_BYTES;
    if (to < name || !isSound(bytes, from, to, LENGTH_MAX)) {
      return false;
    }
    int length = Bytes.u16(bytes, name - SHORT_BYTES);
    if (length == NO_TEXT || length == 0) {
      return Bytes.u32(bytes, from) == to - from - LENGTH_BYTES;
    }
    for (int at = name; at < Math.min(to, name + length); at++) {
      if (bytes[at] < ' ' || bytes[at] == 0x7f) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return ofClient ? REQUEST_HEADER_BYTES : ANSWER_HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    int headerBytes = headerBytes(ofClient);
    into.id = Bytes.u32(bytes, at + headerBytes - LENGTH_BYTES);
    long rest = Bytes.u32(bytes, at) + LENGTH_BYTES - headerBytes;
    if (rest < 0 || rest > LENGTH_MAX) {
      return NO_MESSAGE;
    }
    if (ofClient) {
      int key = Bytes.u16(bytes, at + LENGTH_BYTES);
      int version = Bytes.u16(bytes, at + LENGTH_BYTES + SHORT_BYTES);
      if (key > KafkaApi.KEY_MAX || version > KafkaApi.VERSION_MAX) {
        return NO_MESSAGE;
      }
      into.kind = key << Short.SIZE | version;
      into.add(KafkaApi.nameOf(key));
      into.add(" v");
      into.add(version);
      if (KafkaApi.mayWait(key)) {
        into.add(RequestClass.WAITS);
      }
    }
    return rest;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return ofClient && head.kind >>> Short.SIZE == KafkaApi.PRODUCE ? BYTES_READ : 0;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    if (ofClient && into.kind >>> Short.SIZE == KafkaApi.PRODUCE) {
      int version = into.kind & 0xffff;
      int acknowledgements = behindText(bytes, from, to);
      if (version >= PRODUCES_FLEXIBLY) {
        acknowledgements = behindCompactText(bytes, behindTags(bytes, acknowledgements, to), to);
      } else if (version >= PRODUCES_IN_TRANSACTIONS) {
        acknowledgements = behindText(bytes, acknowledgements, to);
      }
      into.answered =
          to - acknowledgements < SHORT_BYTES || Bytes.u16(bytes, acknowledgements) != 0;
    }
  }

  /** The index behind a text that may be null; {@code to} if it is not all there. */
  private static int behindText(byte[] bytes, int at, int to) {
    if (to - at < SHORT_BYTES) {
      return to;
    }
    int length = Bytes.u16(bytes, at);
    return Math.min(to, at + SHORT_BYTES + (length == NO_TEXT ? 0 : length));
  }

  /** The index behind a text of which the length and one stand before it, in seven bits a byte. */
  private static int behindCompactText(byte[] bytes, int at, int to) {
    int text = behindNumber(bytes, at, to);
    int length = Math.max(0, number(bytes, at, text) - 1);
    return length > to - text ? to : text + length;
  }

  /** The index behind fields with tags, of which there are few if any. */
  private static int behindTags(byte[] bytes, int from, int to) {
    int at = behindNumber(bytes, from, to);
    for (int left = number(bytes, from, at); left > 0 && at < to; left--) {
      int length = behindNumber(bytes, at, to);
      int field = behindNumber(bytes, length, to);
      int count = number(bytes, length, field);
      at = count > to - field ? to : field + count;
    }
    return at;
  }

  private static int behindNumber(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] < 0) {
      at++;
    }
    return Math.min(to, at + 1);
  }

  /**
   * A number of seven bits a byte, the lowest first; one that is too large counts as the largest.
   */
  private static int number(byte[] bytes, int from, int to) {
    long value = 0;
    for (int at = Math.min(to, from + 5) - 1; at >= from; at--) {
      value = value << 7 | (bytes[at] & 0x7f);
    }
    return (int) Math.min(value, Integer.MAX_VALUE);
  }
}
