package org.terrace.cluster.sql;

import java.util.Locale;

/**
 * A piece of a statement's text.
 *
 * @param text as written
 * @param start the index of its first character in the statement
 */
record SqlToken(Kind kind, String text, int start) {
  /** The kinds of pieces. Comments are none. */
  enum Kind {
    WORD,
    QUOTED_NAME,
    STRING,
    NUMBER,
    PARAMETER,
    SYMBOL
  }

  int end() {
    return start + text.length();
  }

  /** Whether it is this keyword, which is given in capitals. */
  boolean is(String keyword) {
    return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
  }

  /** The name that it stands for, in lower case. */
  String name() {
    return spelling().toLowerCase(Locale.ROOT);
  }

  /** The name that it stands for, as written. */
  String spelling() {
    return kind == Kind.QUOTED_NAME ? text.substring(1, text.length() - 1) : text;
  }
}
