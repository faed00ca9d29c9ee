package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.wire.bytes.Bytes;

/** Recognises protocols by their bytes. Stateless. */
final class Detection {
  /** The protocol that a connection speaks, or that more bytes are needed to tell. */
  enum Speech {
    HTTP,
    HTTP2,
    POSTGRESQL,
    TLS,
    OTHER,
    TOO_SHORT
  }

  /** The sender of a segment in the middle of a connection, and its protocol. */
  enum Sender {
    HTTP_CLIENT,
    HTTP_SERVER,
    POSTGRESQL_CLIENT,
    POSTGRESQL_SERVER
  }

  /** So many bytes always suffice to tell. */
  static final int BYTES_MAX = 8;

  private static final byte[] HTTP_VERSION = Ascii.of("HTTP/1.");
  private static final byte[] HTTP2_PREFACE = Ascii.of("PRI * HT");
  private static final byte[][] METHODS = {
    Ascii.of("GET "),
    Ascii.of("POST "),
    Ascii.of("PUT "),
    Ascii.of("HEAD "),
    Ascii.of("DELETE "),
    Ascii.of("OPTIONS "),
    Ascii.of("PATCH "),
    Ascii.of("CONNECT "),
    Ascii.of("TRACE "),
    Ascii.of("PROPFIND"),
    Ascii.of("PROPPATC"),
    Ascii.of("REPORT "),
    Ascii.of("SEARCH "),
    Ascii.of("QUERY "),
    Ascii.of("PURGE "),
    Ascii.of("MKCOL "),
    Ascii.of("COPY "),
    Ascii.of("MOVE "),
    Ascii.of("LOCK "),
    Ascii.of("UNLOCK ")
  };

  private Detection() {}

  /** What a connection speaks whose client's first bytes these are. */
  static Speech ofClientStart(byte[] bytes, int from, int to) {
    boolean tooShort = false;
    for (byte[] method : METHODS) {
      if (Bytes.startsWith(bytes, from, to, method)) {
        return Speech.HTTP;
      }
      tooShort |= isPrefix(bytes, from, to, method);
    }
    if (Bytes.startsWith(bytes, from, to, HTTP2_PREFACE)) {
      return Speech.HTTP2;
    }
    if (tooShort || isPrefix(bytes, from, to, HTTP2_PREFACE)) {
      return Speech.TOO_SHORT;
    }
    if (bytes[from] == 0x16) {
      return to - from < 2 ? Speech.TOO_SHORT : bytes[from + 1] == 3 ? Speech.TLS : Speech.OTHER;
    }
    if (bytes[from] != 0) {
      return Speech.OTHER;
    }
    if (to - from < BYTES_MAX) {
      return Speech.TOO_SHORT;
    }
    return PostgresStartup.looksLikeStart(bytes, from) ? Speech.POSTGRESQL : Speech.OTHER;
  }

  private static boolean isPrefix(byte[] bytes, int from, int to, byte[] whole) {
    if (to - from >= whole.length) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (bytes[i] != whole[i - from]) {
        return false;
      }
    }
    return true;
  }

  /** Who sends a segment, or null when that cannot be told. */
  static @Nullable Sender ofSegment(byte[] bytes, int from, int to) {
    if (Bytes.startsWith(bytes, from, to, HTTP_VERSION)) {
      return Sender.HTTP_SERVER;
    }
    if (ofClientStart(bytes, from, to) == Speech.HTTP) {
      return Sender.HTTP_CLIENT;
    }
    if (endsWithReady(bytes, from, to)) {
      return Sender.POSTGRESQL_SERVER;
    }
    return isPostgresClient(bytes, from, to) ? Sender.POSTGRESQL_CLIENT : null;
  }

  private static boolean endsWithReady(byte[] bytes, int from, int to) {
    int at = to - 6;
    return at >= from
        && bytes[at] == 'Z'
        && Bytes.i32(bytes, at + 1) == 5
        && (bytes[to - 1] == 'I' || bytes[to - 1] == 'T' || bytes[to - 1] == 'E');
  }

  /** Whole messages of a client that fill the segment and end a turn. */
  private static boolean isPostgresClient(byte[] bytes, int from, int to) {
    int at = from;
    int last = 0;
    while (to - at >= 5 && PostgresClient.isClientType(bytes[at])) {
      int length = Bytes.i32(bytes, at + 1);
      if (length < 4 || length > to - at - 1) {
        return false;
      }
      last = bytes[at];
      at += 1 + length;
    }
    return at == to && (last == 'S' || last == 'Q');
  }
}
