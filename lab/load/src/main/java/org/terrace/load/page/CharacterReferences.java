package org.terrace.load.page;

import org.jspecify.annotations.Nullable;

/** The character references of HTML that pages write into attributes. */
final class CharacterReferences {
  private static final int LONGEST = 10;
  private static final int DECIMAL = 10;
  private static final int HEXADECIMAL = 16;

  private CharacterReferences() {}

  /** The text with references to the five special characters and by number resolved. */
  static String resolve(String text) {
    int ampersand = text.indexOf('&');
    if (ampersand < 0) {
      return text;
    }
    StringBuilder resolved = new StringBuilder(text.length());
    int done = 0;
    while (ampersand >= 0) {
      int semicolon = text.indexOf(';', ampersand);
      String character =
          semicolon < 0 || semicolon - ampersand > LONGEST
              ? null
              : character(text.substring(ampersand + 1, semicolon));
      if (character != null) {
        resolved.append(text, done, ampersand).append(character);
        done = semicolon + 1;
      }
      ampersand = text.indexOf('&', ampersand + 1);
    }
    return resolved.append(text, done, text.length()).toString();
  }

  private static @Nullable String character(String name) {
    return switch (name) {
      case "amp" -> "&";
      case "lt" -> "<";
      case "gt" -> ">";
      case "quot" -> "\"";
      case "apos" -> "'";
      case "nbsp" -> "\u00a0";
      default -> name.startsWith("#") ? byNumber(name.substring(1)) : null;
    };
  }

  private static @Nullable String byNumber(String number) {
    try {
      boolean hexadecimal = number.startsWith("x") || number.startsWith("X");
      int point =
          hexadecimal
              ? Integer.parseInt(number.substring(1), HEXADECIMAL)
              : Integer.parseInt(number, DECIMAL);
      return Character.isValidCodePoint(point) ? Character.toString(point) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
