package org.terrace.protocols.values;

import org.terrace.observation.ValueSketch;

/**
 * The values in the bytes of requests that recur from tier to tier: those of a URL's path and
 * parameters, of a form, of JSON, the literals of SQL and the parameters of prepared statements,
 * each added to a sketch ({@link ValueSketch}). Names of parameters, columns and tables are none:
 * they are the same for all requests of a class.
 *
 * <p>Pure functions of bytes, which never fail and take linear time; what is behind the first
 * {@value #BYTES_MAX} bytes is not looked at. Of a text that is cut there, the value that the cut
 * may have shortened is left out: half a number is another number. Whoever has a text that was cut
 * before passes it up to {@link #endOfWhole}.
 */
public final class CarriedValues {
  /** The bytes of a request that are looked at. */
  public static final int BYTES_MAX = 4096;

  private static final int FORMAT_BINARY = 1;
  private static final int NULL_LENGTH = -1;
  private static final int MAX_PARAMETERS = 64;

  private CarriedValues() {}

  /**
   * The end of what is whole of a text that was cut at {@code to}: the end of a value before it.
   */
  public static int endOfWhole(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && ValueSketch.isPart(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  /** The end of the part that is looked at. */
  private static int endOf(byte[] bytes, int from, int to) {
    return to - from <= BYTES_MAX ? to : endOfWhole(bytes, from, from + BYTES_MAX);
  }

  /** Adds the values of a text; one with signs that no text has is binary and has none. */
  public static long ofText(long sketch, byte[] bytes, int from, int to) {
    int end = endOf(bytes, from, to);
    return isText(bytes, from, end) ? ValueSketch.add(sketch, bytes, from, end) : sketch;
  }

  private static boolean isText(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      int c = bytes[at];
      if (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the values of a request's target: runs with a digit in its path, and what stands behind
   * the names of its parameters.
   */
  public static long ofTarget(long sketch, byte[] bytes, int from, int to) {
    int end = endOf(bytes, from, to);
    int query = from;
    while (query < end && bytes[query] != '?') {
      query++;
    }
    long result = sketch;
    int at = from;
    while (at < query) {
      int segment = at;
      boolean digit = false;
      while (at < query && bytes[at] != '/') {
        digit |= isDigit(bytes[at]);
        at++;
      }
      result = digit ? ValueSketch.add(result, bytes, segment, at) : result;
      at++;
    }
    return ofForm(result, bytes, query + 1, end);
  }

  /** Adds the values of an encoded form: what stands behind the names of its parameters. */
  public static long ofForm(long sketch, byte[] bytes, int from, int to) {
    int end = endOf(bytes, from, to);
    long result = sketch;
    int at = from;
    while (at < end) {
      while (at < end && bytes[at] != '=' && bytes[at] != '&') {
        at++;
      }
      if (at < end && bytes[at] == '=') {
        int value = at + 1;
        while (at < end && bytes[at] != '&') {
          at++;
        }
        result = addEncoded(result, bytes, value, at);
      }
      at++;
    }
    return result;
  }

  /** Adds a value whose odd bytes are written as a percent sign and two digits, which part runs. */
  private static long addEncoded(long sketch, byte[] bytes, int from, int to) {
    long result = sketch;
    int start = from;
    for (int at = from; at < to; at++) {
      if (bytes[at] == '%') {
        result = ValueSketch.add(result, bytes, start, at);
        at = Math.min(to, at + 2);
        start = at + 1;
      }
    }
    return start < to ? ValueSketch.add(result, bytes, start, to) : result;
  }

  /**
   * Adds the values of a JSON text: its numbers, and its strings that are no names.
   *
   * @param whole whether it ends there, rather than being cut: then its last string may be a name
   */
  public static long ofJson(long sketch, byte[] bytes, int from, int to, boolean whole) {
    boolean cut = !whole || to - from > BYTES_MAX;
    int end = endOf(bytes, from, to);
    long result = sketch;
    int at = from;
    while (at < end) {
      int start = at;
      if (bytes[at] == '"') {
        at = stringEnd(bytes, at + 1, end);
        int next = behindBlanks(bytes, at + 1, end);
        if (next < end ? bytes[next] != ':' : !cut) {
          result = addEscaped(result, bytes, start + 1, at);
        }
        at++;
      } else if (isDigit(bytes[at])) {
        while (at < end && isDigit(bytes[at])) {
          at++;
        }
        result = ValueSketch.add(result, bytes, start, at);
      } else {
        at++;
      }
    }
    return result;
  }

  private static int stringEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, to);
  }

  private static int behindBlanks(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] <= ' ' && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** Adds a string whose odd characters are written behind a backslash, which parts runs. */
  private static long addEscaped(long sketch, byte[] bytes, int from, int to) {
    long result = sketch;
    int start = from;
    int at = from;
    while (at < to) {
      if (bytes[at] != '\\') {
        at++;
        continue;
      }
      result = ValueSketch.add(result, bytes, start, at);
      at += at + 1 < to && bytes[at + 1] == 'u' ? 6 : 2;
      start = Math.min(at, to);
    }
    return ValueSketch.add(result, bytes, start, to);
  }

  /** Adds the literals of a statement: numbers, and what stands in single quotes. */
  public static long ofStatement(long sketch, byte[] bytes, int from, int to) {
    int end = endOf(bytes, from, to);
    long result = sketch;
    int at = from;
    while (at < end) {
      int c = bytes[at];
      int start = at;
      if (c == '\'') {
        at = quoteEnd(bytes, at + 1, end);
        result = ValueSketch.add(result, bytes, start + 1, at);
        at++;
      } else if (isDigit(c)) {
        while (at < end && isDigit(bytes[at])) {
          at++;
        }
        result = ValueSketch.add(result, bytes, start, at);
      } else if (isWord(c)) {
        // A digit within a name is a part of the name, and one behind a dollar sign a parameter.
        while (at < end && (isWord(bytes[at]) || isDigit(bytes[at]))) {
          at++;
        }
      } else {
        at++;
      }
    }
    return result;
  }

  /** The end of a quoted text, or of what is there of it; two quotes are one within it. */
  private static int quoteEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      if (bytes[at] == '\\') {
        at++;
      } else if (bytes[at] == '\'') {
        if (at + 1 >= to || bytes[at + 1] != '\'') {
          return at;
        }
        at++;
      }
      at++;
    }
    return to;
  }

  /**
   * Adds the parameters of a PostgreSQL Bind message: texts as they are, and binary ones of two,
   * four or eight bytes as numbers unless they are letters. Damaged ones give what is before the
   * damage.
   *
   * @param from where the number of format codes begins
   */
  public static long ofBind(long sketch, byte[] bytes, int from, int to) {
    int formats = number(bytes, from, to, 2);
    int counted = from + 2 + 2 * formats;
    int parameters = formats < 0 ? -1 : number(bytes, counted, to, 2);
    long result = sketch;
    int at = counted + 2;
    for (int each = 0; each < Math.min(parameters, MAX_PARAMETERS); each++) {
      int length = number(bytes, at, to, 4);
      at += 4;
      if (length == NULL_LENGTH) {
        if (at > to) {
          return result;
        }
        continue;
      }
      if (length < 0 || length > to - at) {
        return result;
      }
      int format = 0;
      if (formats > 0) {
        format =
            number(bytes, from + 2 + 2 * (formats == 1 ? 0 : Math.min(each, formats - 1)), to, 2);
      }
      result = ofParameter(result, bytes, at, length, format == FORMAT_BINARY);
      at += length;
    }
    return result;
  }

  private static long ofParameter(long sketch, byte[] bytes, int at, int length, boolean binary) {
    // Drivers that send all in binary form send texts as they are.
    boolean number = binary && (length == 2 || length == 4 || length == 8);
    if (!number || isPrintable(bytes, at, at + length)) {
      return ofText(sketch, bytes, at, at + length);
    }
    long value = bytes[at];
    for (int i = 1; i < length; i++) {
      value = (value << Byte.SIZE) | (bytes[at + i] & 0xff);
    }
    return ValueSketch.add(sketch, value);
  }

  /** Whether bytes are ASCII alone; of numbers those from half a thousand million on may be. */
  private static boolean isPrintable(byte[] bytes, int from, int to) {
    boolean printable = true;
    for (int at = from; at < to; at++) {
      printable &= bytes[at] >= ' ';
    }
    return printable;
  }

  /** A number in network order; {@link #NULL_LENGTH} if its bytes are not there. */
  private static int number(byte[] bytes, int at, int to, int length) {
    if (at < 0 || at > to - length) {
      return NULL_LENGTH;
    }
    int value = 0;
    for (int i = 0; i < length; i++) {
      value = (value << Byte.SIZE) | (bytes[at + i] & 0xff);
    }
    return value;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(int c) {
    int lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z') || c == '_' || c == '$' || c < 0;
  }
}
