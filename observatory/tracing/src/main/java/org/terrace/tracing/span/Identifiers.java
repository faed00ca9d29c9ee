package org.terrace.tracing.span;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Identifiers of traces and spans as numbers, and numbers as identifiers. */
final class Identifiers {
  private static final int DIGITS = 16;

  private final Map<String, Long> numbers = new HashMap<>();
  private final Set<Long> taken = new HashSet<>();
  private long next;

  /**
   * The number of an identifier: the last 64 bits of its hexadecimal digits as long as no other
   * identifier has taken them, else the next free one.
   */
  long number(String identifier) {
    return numbers.computeIfAbsent(identifier, this::fresh);
  }

  private long fresh(String identifier) {
    long wanted = digits(identifier);
    // The smallest number means "none" in a table.
    if (wanted != 0 && wanted != Long.MIN_VALUE && taken.add(wanted)) {
      return wanted;
    }
    do {
      next++;
    } while (!taken.add(next));
    return next;
  }

  private static long digits(String identifier) {
    String last = identifier.substring(Math.max(0, identifier.length() - DIGITS));
    try {
      return Long.parseUnsignedLong(last, 16);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Sixteen hexadecimal digits. */
  static String hex(long number) {
    return "%016x".formatted(number);
  }

  /** An identifier without what formats write differently: case, and zeros at the beginning. */
  static String plain(String identifier) {
    int zeros = 0;
    while (zeros < identifier.length() - 1 && identifier.charAt(zeros) == '0') {
      zeros++;
    }
    return Limits.cut(identifier.substring(zeros)).toLowerCase(Locale.ROOT);
  }
}
