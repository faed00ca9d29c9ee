package org.terrace.protocols.http2;

import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/** The header of a frame of HTTP/2 (RFC 9113), and what tells one from other bytes. */
final class Http2Frame {
  static final int HEADER_BYTES = 9;
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int FLAG_END_STREAM = 1;
  static final int FLAG_ACK = 1;
  static final int FLAG_END_HEADERS = 4;
  static final int FLAG_PADDED = 8;
  static final int FLAG_PRIORITY = 0x20;

  /** The client's first bytes. */
  static final byte[] PREFACE = Ascii.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

  /** Frames are no longer unless both sides agreed on it. */
  private static final int USUAL_LENGTH_MAX = 16 << 10;

  private static final int EXTENSION_MAX = 0x20;
  private static final int SETTING_BYTES = 6;
  private static final int PRIORITY_BYTES = 5;
  private static final int PING_BYTES = 8;
  private static final int GOAWAY_BYTES_MIN = 8;
  private static final int NUMBER_BYTES = 4;

  private Http2Frame() {}

  static int length(byte[] bytes, int at) {
    return Bytes.u16(bytes, at) << 8 | Bytes.u8(bytes, at + 2);
  }

  static int type(byte[] bytes, int at) {
    return Bytes.u8(bytes, at + 3);
  }

  static int flags(byte[] bytes, int at) {
    return Bytes.u8(bytes, at + 4);
  }

  static int stream(byte[] bytes, int at) {
    return Bytes.i32(bytes, at + 5) & 0x7fff_ffff;
  }

  /** Whether it may be the header of a frame. */
  static boolean isSound(byte[] bytes, int at) {
    int length = length(bytes, at);
    boolean ofStream = stream(bytes, at) != 0;
    return switch (type(bytes, at)) {
      case DATA, HEADERS, PUSH_PROMISE, CONTINUATION -> ofStream;
      case PRIORITY -> ofStream && length == PRIORITY_BYTES;
      case RST_STREAM -> ofStream && length == NUMBER_BYTES;
      case SETTINGS -> !ofStream && length % SETTING_BYTES == 0;
      case PING -> !ofStream && length == PING_BYTES;
      case GOAWAY -> !ofStream && length >= GOAWAY_BYTES_MIN;
      case WINDOW_UPDATE -> length == NUMBER_BYTES;
      default -> type(bytes, at) < EXTENSION_MAX;
    };
  }

  /**
   * The index of the first frame of headers in a segment of usual frames that begins with one; the
   * segment's end if there is none, -1 if it is no such segment.
   */
  static int firstHeaders(byte[] bytes, int from, int to) {
    int found = to;
    int at = from;
    while (to - at >= HEADER_BYTES) {
      boolean usual =
          isSound(bytes, at)
              && length(bytes, at) <= USUAL_LENGTH_MAX
              && type(bytes, at) <= CONTINUATION
              && bytes[at + 5] >= 0;
      if (!usual) {
        return -1;
      }
      if (found == to && type(bytes, at) == HEADERS) {
        found = at;
      }
      at += HEADER_BYTES + length(bytes, at);
    }
    return at == from ? -1 : found;
  }

  /** The index of the first byte of the headers in a frame of them, its body in a range. */
  static int blockFrom(int flags, int from, int to) {
    int at = from + ((flags & FLAG_PADDED) != 0 ? 1 : 0);
    return Math.min(to, at + ((flags & FLAG_PRIORITY) != 0 ? PRIORITY_BYTES : 0));
  }

  /** The index behind what is not padding, the body of the frame in a range. */
  static int unpaddedTo(int flags, byte[] body, int from, int to) {
    boolean padded = (flags & FLAG_PADDED) != 0 && from < to;
    return padded ? Math.max(from, to - (body[from] & 0xff)) : to;
  }
}
