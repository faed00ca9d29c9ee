package org.terrace.load.page;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one HTML tag without its angle brackets, and its attributes, read where they lie. Of
 * a tag longer than {@value #LIMIT_BYTES} bytes the rest is ignored. Confined to one thread.
 */
final class Tag {
  static final int LIMIT_BYTES = 8192;

  private final byte[] bytes = new byte[LIMIT_BYTES];
  private int length;

  void clear() {
    length = 0;
  }

  void append(byte value) {
    if (length < LIMIT_BYTES) {
      bytes[length++] = value;
    }
  }

  int length() {
    return length;
  }

  /** Whether the tag begins with the given lower-case name, as a whole word. */
  boolean is(String name) {
    int size = name.length();
    if (length < size || (length > size && !endsName(bytes[size]))) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (lowerCase(bytes[i]) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the attribute is there, with or without a value. */
  boolean has(String attribute) {
    return find(attribute) >= 0;
  }

  /** Whether the attribute's raw value is the given bytes. */
  boolean attributeIs(String attribute, byte[] value) {
    long span = span(attribute);
    return span >= 0 && Arrays.equals(bytes, from(span), to(span), value, 0, value.length);
  }

  /** The attribute's value with character references resolved; null when it is absent. */
  @Nullable String attribute(String attribute) {
    long span = span(attribute);
    if (span < 0) {
      return find(attribute) < 0 ? null : "";
    }
    String raw = new String(bytes, from(span), to(span) - from(span), StandardCharsets.UTF_8);
    return CharacterReferences.resolve(raw);
  }

  private static int from(long span) {
    return (int) (span >>> Integer.SIZE);
  }

  private static int to(long span) {
    return (int) span;
  }

  /**
   * The beginning and the end of the attribute's value, as the halves of a long; -1 when it has
   * none.
   */
  private long span(String attribute) {
    int position = find(attribute);
    if (position < 0) {
      return -1;
    }
    position = skipSpace(position + attribute.length());
    if (position == length || bytes[position] != '=') {
      return -1;
    }
    int from = skipSpace(position + 1);
    if (from < length && (bytes[from] == '"' || bytes[from] == '\'')) {
      byte quote = bytes[from++];
      int to = from;
      while (to < length && bytes[to] != quote) {
        to++;
      }
      return (long) from << Integer.SIZE | to;
    }
    int to = from;
    while (to < length && !isSpace(bytes[to])) {
      to++;
    }
    return (long) from << Integer.SIZE | to;
  }

  /** The position of the attribute's name, skipping over the values of others; -1 when absent. */
  private int find(String attribute) {
    int position = 0;
    while (position < length && !isSpace(bytes[position])) {
      position++;
    }
    while (true) {
      position = skipSpace(position);
      if (position == length) {
        return -1;
      }
      int nameEnd = position;
      while (nameEnd < length && !endsName(bytes[nameEnd])) {
        nameEnd++;
      }
      if (matches(position, nameEnd, attribute)) {
        return position;
      }
      position = skipValue(Math.max(nameEnd, position + 1));
    }
  }

  private boolean matches(int from, int to, String name) {
    if (to - from != name.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (lowerCase(bytes[i]) != name.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  private int skipValue(int position) {
    int at = skipSpace(position);
    if (at == length || bytes[at] != '=') {
      return position;
    }
    at = skipSpace(at + 1);
    if (at < length && (bytes[at] == '"' || bytes[at] == '\'')) {
      byte quote = bytes[at++];
      while (at < length && bytes[at] != quote) {
        at++;
      }
      return Math.min(at + 1, length);
    }
    while (at < length && !isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  private int skipSpace(int position) {
    int at = position;
    while (at < length && isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  private static boolean endsName(byte value) {
    return isSpace(value) || value == '=' || value == '/';
  }

  private static boolean isSpace(byte value) {
    return value == ' ' || value == '\n' || value == '\t' || value == '\r' || value == '\f';
  }

  private static int lowerCase(byte value) {
    return value >= 'A' && value <= 'Z' ? value + 'a' - 'A' : value;
  }
}
