package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import org.terrace.protocols.text.TextBuffer;

/**
 * Normalises SQL, so that executions of one statement with different values are one class: literals
 * and parameters become {@code ?}, lists of them one {@code ?}, runs of white space one blank;
 * comments and the closing semicolon go. Knows PostgreSQL's lexical rules: nested comments, quoted
 * identifiers, escape, bit, national and dollar-quoted strings, typed numbers. Case stays.
 *
 * <p>A scanner, not a parser: it never fails, and takes time linear in the text. Confined to one
 * thread.
 */
final class SqlText {
  private static final int TEXT_BYTES_MAX = 512;
  private static final byte[] LIST = "?, ?".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ROWS = "(?), (?)".getBytes(StandardCharsets.US_ASCII);

  private final TextBuffer text = new TextBuffer(TEXT_BYTES_MAX);
  private byte[] sql = {};
  private int at;
  private int end;
  private boolean blankPending;

  /** Normalises a range; the result stays valid until the next call. */
  TextBuffer normalise(byte[] bytes, int from, int to) {
    text.clear();
    sql = bytes;
    at = from;
    end = to;
    blankPending = false;
    while (at < end && !text.isCut()) {
      step();
    }
    if (text.last() == ';') {
      text.drop(1);
    }
    sql = new byte[0];
    return text;
  }

  private int peek(int ahead) {
    return at + ahead < end ? sql[at + ahead] : 0;
  }

  private void step() {
    int c = sql[at];
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      blankPending = true;
      at++;
    } else if (c == '-' && peek(1) == '-') {
      skipLine();
    } else if (c == '/' && peek(1) == '*') {
      skipComment();
    } else if (c == '\'') {
      at++;
      skipString(false);
      literal();
    } else if (c == '"') {
      quotedIdentifier();
    } else if (c == '$') {
      dollar();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      skipNumber();
      literal();
    } else if (isWord(c)) {
      word();
    } else if ((c == '-' || c == '+') && isSign()) {
      at++;
    } else {
      punctuation(c);
      at++;
    }
  }

  /** Whether a plus or minus belongs to the number behind it. */
  private boolean isSign() {
    if (!isDigit(peek(1)) && peek(1) != '.') {
      return false;
    }
    int before = text.last();
    return before == '('
        || before == ','
        || before == '='
        || before == '<'
        || before == '>'
        || before == 0;
  }

  private void blank() {
    if (blankPending && !text.isEmpty() && text.last() != '(') {
      text.add(' ');
    }
    blankPending = false;
  }

  private void punctuation(int c) {
    if (c == ',' || c == ')' || c == ';') {
      blankPending = false;
    }
    blank();
    text.add(c);
    if (c == ',') {
      blankPending = true;
    } else if (c == ')' && text.endsWith(ROWS)) {
      text.drop(5);
    }
  }

  private void literal() {
    blank();
    text.add('?');
    if (text.endsWith(LIST)) {
      text.drop(LIST.length - 1);
    }
  }

  private void word() {
    int start = at;
    while (at < end && (isWord(sql[at]) || isDigit(sql[at]) || sql[at] == '$')) {
      at++;
    }
    boolean prefix = at - start == 1 && peek(0) == '\'';
    if (prefix && isStringPrefix(sql[start])) {
      at++;
      skipString((sql[start] | 0x20) == 'e');
      literal();
      return;
    }
    blank();
    text.add(sql, start, at);
  }

  private static boolean isStringPrefix(int c) {
    int lower = c | 0x20;
    return lower == 'e' || lower == 'b' || lower == 'x' || lower == 'n';
  }

  private void quotedIdentifier() {
    blank();
    text.add('"');
    at++;
    while (at < end) {
      int c = sql[at++];
      text.add(c);
      if (c == '"') {
        return;
      }
    }
  }

  /** Passes over a string whose opening quote has been read. */
  private void skipString(boolean backslashEscapes) {
    while (at < end) {
      int c = sql[at++];
      if (c == '\\' && backslashEscapes) {
        at++;
      } else if (c == '\'') {
        if (peek(0) != '\'') {
          return;
        }
        at++;
      }
    }
  }

  /** A parameter, a dollar-quoted string, or just a dollar. */
  private void dollar() {
    if (isDigit(peek(1))) {
      at++;
      while (at < end && isDigit(sql[at])) {
        at++;
      }
      literal();
      return;
    }
    int tagEnd = at + 1;
    while (tagEnd < end && (isWord(sql[tagEnd]) || isDigit(sql[tagEnd]))) {
      tagEnd++;
    }
    if (tagEnd >= end || sql[tagEnd] != '$') {
      punctuation('$');
      at++;
      return;
    }
    int tagLength = tagEnd + 1 - at;
    int start = at;
    at = tagEnd + 1;
    while (at < end && !closesDollarQuote(start, tagLength)) {
      at++;
    }
    at = Math.min(end, at + tagLength);
    literal();
  }

  private boolean closesDollarQuote(int tag, int length) {
    if (sql[at] != '$' || at + length > end) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      if (sql[at + i] != sql[tag + i]) {
        return false;
      }
    }
    return true;
  }

  private void skipNumber() {
    while (at < end) {
      int c = sql[at];
      boolean exponentSign = (c == '+' || c == '-') && (sql[at - 1] | 0x20) == 'e';
      if (!isDigit(c) && c != '.' && !isWord(c) && !exponentSign) {
        return;
      }
      at++;
    }
  }

  private void skipLine() {
    while (at < end && sql[at] != '\n') {
      at++;
    }
    blankPending = true;
  }

  private void skipComment() {
    int depth = 0;
    while (at < end) {
      if (sql[at] == '/' && peek(1) == '*') {
        depth++;
        at += 2;
      } else if (sql[at] == '*' && peek(1) == '/') {
        depth--;
        at += 2;
        if (depth == 0) {
          break;
        }
      } else {
        at++;
      }
    }
    at = Math.min(at, end);
    blankPending = true;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(int c) {
    int lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z') || c == '_' || c < 0;
  }
}
