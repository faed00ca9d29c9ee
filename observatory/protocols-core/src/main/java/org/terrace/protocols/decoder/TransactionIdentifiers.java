package org.terrace.protocols.decoder;

import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/**
 * Identifiers of a transaction in the bytes of its requests: the trace of a W3C {@code traceparent}
 * and of B3's headers, or else an {@code x-request-id} or {@code x-correlation-id}; in SQL a
 * comment with a {@code traceparent}, as sqlcommenter appends it. Each becomes a number that is the
 * same wherever the identifier is the same, whatever carries it; its case and leading zeros do not
 * matter. 0 stands for none.
 *
 * <p>Pure functions of bytes. Sources: W3C Trace Context, level 1; B3 propagation of OpenZipkin;
 * the sqlcommenter specification.
 */
public final class TransactionIdentifiers {
  /** Longer values are no identifiers. */
  private static final int VALUE_BYTES_MAX = 128;

  /** The last bytes of a statement that are searched for a comment. */
  private static final int COMMENT_BYTES_MAX = 1024;

  /** Shorter ones are counters, and recur. */
  private static final int VALUE_BYTES_MIN = 8;

  private static final int TRACE_DIGITS = 32;
  private static final int SHORT_TRACE_DIGITS = 16;
  private static final int VERSION_BYTES = 3;
  private static final long SEED = 0xcbf2_9ce4_8422_2325L;
  private static final long PRIME = 0x100_0000_01b3L;

  private static final byte[] TRACEPARENT = Ascii.of("traceparent");
  private static final byte[] B3 = Ascii.of("b3");
  private static final byte[] B3_TRACE = Ascii.of("x-b3-traceid");
  private static final byte[] REQUEST_ID = Ascii.of("x-request-id");
  private static final byte[] CORRELATION_ID = Ascii.of("x-correlation-id");
  private static final byte[] COMMENT = Ascii.of("traceparent='");

  private TransactionIdentifiers() {}

  /**
   * The identifier after one more header line of a message.
   *
   * @param known the identifier of the lines before
   */
  static long afterHeader(long known, byte[] bytes, int from, int to) {
    int first = from < to ? bytes[from] | 0x20 : 0;
    if (first == 't') {
      int value = Ascii.headerValue(bytes, from, to, TRACEPARENT);
      return value < 0 ? known : preferred(known, ofTraceparent(bytes, value, to));
    }
    if (first == 'b') {
      int value = Ascii.headerValue(bytes, from, to, B3);
      return value < 0 ? known : preferred(known, ofTrace(bytes, value, to));
    }
    return first == 'x' ? afterOwnHeader(known, bytes, from, to) : known;
  }

  /** The same for the names that proxies and applications made up. */
  private static long afterOwnHeader(long known, byte[] bytes, int from, int to) {
    int value = Ascii.headerValue(bytes, from, to, B3_TRACE);
    if (value >= 0) {
      return preferred(known, ofTrace(bytes, value, to));
    }
    value = Ascii.headerValue(bytes, from, to, REQUEST_ID);
    value = value >= 0 ? value : Ascii.headerValue(bytes, from, to, CORRELATION_ID);
    return value < 0 ? known : orElse(known, ofRequest(bytes, value, to));
  }

  /** A trace, which is preferred to any other identifier that is known. */
  public static long preferred(long known, long trace) {
    return trace == 0 ? known : trace;
  }

  /** The known identifier, or another one if there is none. */
  public static long orElse(long known, long other) {
    return known == 0 ? other : known;
  }

  /** The trace of the value of a {@code traceparent}: its version, trace, span and flags. */
  public static long ofTraceparent(byte[] bytes, int from, int to) {
    int trace = from + VERSION_BYTES;
    int end = trace + TRACE_DIGITS;
    boolean whole = end < to && bytes[trace - 1] == '-' && bytes[end] == '-';
    return whole ? ofDigits(bytes, trace, end) : 0;
  }

  /** The trace with which a value of B3 begins, of 16 or 32 hexadecimal digits. */
  public static long ofTrace(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && Ascii.hexDigit(bytes[end]) >= 0) {
      end++;
    }
    boolean whole = end - from == TRACE_DIGITS || end - from == SHORT_TRACE_DIGITS;
    return whole && (end == to || bytes[end] == '-' || bytes[end] == ' ')
        ? ofDigits(bytes, from, end)
        : 0;
  }

  /** The number of a value that a proxy or an application gave its request. */
  public static long ofRequest(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && bytes[end - 1] == ' ') {
      end--;
    }
    if (end - from < VALUE_BYTES_MIN || end - from > VALUE_BYTES_MAX) {
      return 0;
    }
    long hash = SEED;
    for (int i = from; i < end; i++) {
      int c = bytes[i];
      hash = (hash ^ (c >= 'A' && c <= 'Z' ? c | 0x20 : c)) * PRIME;
    }
    return positive(hash);
  }

  /** The trace of a {@code traceparent} in the comment that ends a statement. */
  static long ofStatement(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && (bytes[end - 1] <= ' ' || bytes[end - 1] == ';')) {
      end--;
    }
    if (end - from < COMMENT.length + 4 || bytes[end - 1] != '/' || bytes[end - 2] != '*') {
      return 0;
    }
    int first = Math.max(from, end - COMMENT_BYTES_MAX);
    for (int at = end - COMMENT.length; at >= first; at--) {
      if (bytes[at] == '/' && bytes[at + 1] == '*') {
        return 0;
      }
      if (bytes[at] == 't' && Bytes.startsWith(bytes, at, end, COMMENT)) {
        return ofTraceparent(bytes, at + COMMENT.length, end);
      }
    }
    return 0;
  }

  private static long ofDigits(byte[] bytes, int from, int to) {
    long hash = SEED;
    boolean leading = true;
    for (int i = from; i < to; i++) {
      int digit = Ascii.hexDigit(bytes[i]);
      if (digit < 0) {
        return 0;
      }
      leading &= digit == 0;
      hash = leading ? hash : (hash ^ digit) * PRIME;
    }
    // A trace of zeros alone is none, by either specification.
    return leading ? 0 : positive(hash);
  }

  private static long positive(long hash) {
    return Math.max(1, hash & Long.MAX_VALUE);
  }
}
