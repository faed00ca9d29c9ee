package org.terrace.evidence.host;

import java.nio.charset.StandardCharsets;

/**
 * The text of a file of the kernel, in the bytes it was read into, from which numbers are taken
 * without making objects. A name or number that is missing or damaged is {@value #NONE}. Immutable
 * as long as the bytes are.
 *
 * @param bytes the bytes; those from {@code length} on mean nothing
 * @param length how many of them were read
 */
record KernelText(byte[] bytes, int length) {
  /** The value of a number that is not there. */
  static final long NONE = -1;

  private static final int DIGITS = 18;

  /** A text as a file that holds it gives it. */
  static KernelText of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return new KernelText(bytes, bytes.length);
  }

  /** The bytes of a name to look for. */
  static byte[] name(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** The number in the line {@code name number}. */
  long field(byte[] name) {
    int line = lineOf(name);
    return line < 0 ? NONE : number(line + name.length);
  }

  /**
   * The number after {@code total=} in the line that begins with a name: pressure's microseconds.
   */
  long pressureMicros(byte[] name) {
    int at = lineOf(name);
    if (at < 0) {
      return NONE;
    }
    while (at < length && bytes[at] != '\n') {
      if (startsWith(TOTAL, at)) {
        return number(at + TOTAL.length);
      }
      at++;
    }
    return NONE;
  }

  private static final byte[] TOTAL = name("total=");

  /** The number at a place, from 0, after the name that a line begins with. */
  long column(byte[] name, int place) {
    int at = lineOf(name);
    if (at < 0) {
      return NONE;
    }
    return columnAt(at + name.length, place);
  }

  private long columnAt(int from, int place) {
    int at = from;
    for (int column = 0; column < place; column++) {
      at = skipWord(skipBlanks(at));
    }
    return number(at);
  }

  /**
   * The sum of the numbers at a place, from 0, over all lines whose first word is a name with a
   * number after it, such as {@code cpu0} and {@code cpu1}; {@value #NONE} when there are none.
   */
  long sumOfColumns(byte[] name, int place) {
    long sum = NONE;
    for (int at = 0; at < length; at = nextLine(at)) {
      int word = at + name.length;
      if (startsWith(name, at) && word < length && isDigit(bytes[word])) {
        long value = columnAt(skipWord(word), place);
        sum = value < 0 ? sum : Math.max(0, sum) + value;
      }
    }
    return sum;
  }

  /**
   * The number below a heading, in the form of {@code /proc/net/netstat}: a line of names and a
   * line of numbers, which both begin with the same word.
   */
  long below(byte[] word, byte[] heading) {
    int names = lineOf(word);
    int numbers = names < 0 ? -1 : nextLine(names);
    if (numbers < 0 || numbers >= length || !startsWith(word, numbers)) {
      return NONE;
    }
    int name = skipBlanks(names + word.length);
    int number = numbers + word.length;
    while (name < length && bytes[name] != '\n') {
      int end = skipWord(name);
      if (end - name == heading.length && startsWith(heading, name)) {
        return number(number);
      }
      number = skipWord(skipBlanks(number));
      name = skipBlanks(end);
    }
    return NONE;
  }

  /** The number that the text begins with. */
  long number() {
    return number(0);
  }

  private int lineOf(byte[] name) {
    for (int at = 0; at < length; at = nextLine(at)) {
      int end = at + name.length;
      if (startsWith(name, at) && end < length && isBlank(bytes[end])) {
        return at;
      }
    }
    return -1;
  }

  private boolean startsWith(byte[] word, int at) {
    if (at + word.length > length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (bytes[at + i] != word[i]) {
        return false;
      }
    }
    return true;
  }

  private int nextLine(int from) {
    int at = from;
    while (at < length && bytes[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  private int skipBlanks(int from) {
    int at = from;
    while (at < length && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  private int skipWord(int from) {
    int at = from;
    while (at < length && !isBlank(bytes[at]) && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  private long number(int from) {
    int at = skipBlanks(from);
    long value = 0;
    int digits = 0;
    while (at < length && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at] - '0');
      digits++;
      at++;
      if (digits > DIGITS) {
        return NONE;
      }
    }
    return digits == 0 ? NONE : value;
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\t';
  }

  private static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }
}
