package org.terrace.protocols.text;

import java.nio.charset.StandardCharsets;

/** Reads words and numbers of text protocols out of byte arrays. */
public final class Ascii {
  private Ascii() {}

  /** A text as bytes. */
  public static byte[] of(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The index of a header's value, blanks before it passed over, or -1 for another header. */
  public static int headerValue(byte[] bytes, int from, int to, byte[] lowerCaseName) {
    int colon = from + lowerCaseName.length;
    if (colon >= to || bytes[colon] != ':') {
      return -1;
    }
    for (int i = 0; i < lowerCaseName.length; i++) {
      int c = bytes[from + i];
      int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
      if (lower != lowerCaseName[i]) {
        return -1;
      }
    }
    int value = colon + 1;
    while (value < to && isBlank(bytes[value])) {
      value++;
    }
    return value;
  }

  /** A decimal number with blanks behind it allowed, or -1. */
  public static long decimal(byte[] bytes, int from, int to, int digitsMax) {
    long value = 0;
    int at = from;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9' && at - from < digitsMax) {
      value = value * 10 + bytes[at] - '0';
      at++;
    }
    if (at == from) {
      return -1;
    }
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
    return at == to ? value : -1;
  }

  /** Whether a text begins with a word in lower case, whatever its own case. */
  public static boolean startsWithIgnoringCase(byte[] bytes, int from, int to, byte[] lowerCase) {
    return to - from >= lowerCase.length
        && endsWithIgnoringCase(bytes, from, from + lowerCase.length, lowerCase);
  }

  /** Whether a text, blanks at its end left out, ends with a word in lower case. */
  public static boolean endsWithIgnoringCase(byte[] bytes, int from, int to, byte[] lowerCase) {
    int end = to;
    while (end > from && isBlank(bytes[end - 1])) {
      end--;
    }
    if (end - from < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      if ((bytes[end - lowerCase.length + i] | 0x20) != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }

  /** The value of a hexadecimal digit, or -1. */
  public static int hexDigit(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }
}
