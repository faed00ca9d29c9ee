package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.cluster.sql.SqlToken.Kind;

/**
 * The lexical rules of the two engines: where strings, names, comments and parameters begin and
 * end. Linear in the length of the statement.
 */
final class SqlScanner {
  /** The last character of ASCII. */
  private static final char DELETE = '\u007f';

  private final String sql;
  private final Engine engine;
  private final List<SqlToken> tokens = new ArrayList<>();
  private int at;

  private SqlScanner(String sql, Engine engine) {
    this.sql = sql;
    this.engine = engine;
  }

  /** The pieces of a statement. */
  static List<SqlToken> scan(String sql, Engine engine) throws RefusedStatementException {
    SqlScanner scanner = new SqlScanner(sql, engine);
    while (scanner.at < sql.length()) {
      scanner.next();
    }
    return scanner.tokens;
  }

  /**
   * A statement as any parser reads it: without comments, and with texts that have no quotes,
   * prefixes and escapes of one engine, which stand for the same text if they are the same.
   */
  static String forParser(String sql, Engine engine) throws RefusedStatementException {
    StringBuilder text = new StringBuilder(sql.length());
    Map<String, Integer> others = new HashMap<>();
    int from = 0;
    boolean named = false;
    for (SqlToken token : scan(sql, engine)) {
      if (token.start() > from) {
        text.append(' ');
      }
      boolean plain = (named || token.text().startsWith("'")) && token.text().indexOf('\\') < 0;
      if (token.kind() != Kind.STRING || plain) {
        text.append(token.text());
      } else {
        Integer number = others.computeIfAbsent(token.text(), _ -> others.size());
        text.append("'text ").append(number).append('\'');
      }
      named = token.is("AS");
      from = token.end();
    }
    return text.toString();
  }

  private void next() throws RefusedStatementException {
    char c = sql.charAt(at);
    if (isBlank(c)) {
      at++;
    } else if (isLineComment(c)) {
      at = lineEnd();
    } else if (sql.startsWith("/*", at)) {
      blockComment();
    } else if (c == '\'') {
      checkContinued();
      add(Kind.STRING, quoted(at, '\'', engine == Engine.MARIADB));
    } else if (isPrefixedString(c)) {
      add(Kind.STRING, quoted(at + 1, '\'', c == 'e' || c == 'E' || engine == Engine.MARIADB));
    } else if (c == '"') {
      boolean isString = engine == Engine.MARIADB;
      add(isString ? Kind.STRING : Kind.QUOTED_NAME, quoted(at, '"', isString));
    } else if (c == '`' && engine == Engine.MARIADB) {
      add(Kind.QUOTED_NAME, quoted(at, '`', false));
    } else if (c == '$' && engine == Engine.POSTGRESQL && dollarTagEnd() > 0) {
      dollarString();
    } else if (c == '?') {
      parameter();
    } else if (isUnicodeEscaped(c)) {
      throw new RefusedStatementException(
          "it has a text or a name with U&", "write the characters themselves");
    } else if (startsName(c)) {
      add(Kind.WORD, wordEnd(at));
    } else if (isDigit(c)) {
      add(Kind.NUMBER, wordEnd(at));
    } else {
      symbol();
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Both engines take whatever is beyond ASCII for a letter, blanks and signs of Unicode too. */
  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= DELETE + 1;
  }

  private boolean startsName(char c) {
    return isLetter(c) || (c == '$' && engine == Engine.MARIADB);
  }

  private boolean isLineComment(char c) {
    if (engine == Engine.MARIADB) {
      boolean dashes = sql.startsWith("--", at);
      return c == '#' || (dashes && (at + 2 == sql.length() || isControl(sql.charAt(at + 2))));
    }
    return sql.startsWith("--", at);
  }

  private static boolean isControl(char c) {
    return c <= ' ' || c == DELETE;
  }

  /** The end of the line: for PostgreSQL a carriage return is one, too. */
  private int lineEnd() {
    int end = at;
    while (end < sql.length()
        && sql.charAt(end) != '\n'
        && (sql.charAt(end) != '\r' || engine == Engine.MARIADB)) {
      end++;
    }
    return end;
  }

  private boolean isPrefixedString(char c) {
    boolean prefix = "eEbBxXnN".indexOf(c) >= 0;
    return prefix && at + 1 < sql.length() && sql.charAt(at + 1) == '\'';
  }

  private boolean isUnicodeEscaped(char c) {
    return engine == Engine.POSTGRESQL
        && (c == 'u' || c == 'U')
        && (sql.startsWith("&'", at + 1) || sql.startsWith("&\"", at + 1));
  }

  private void blockComment() throws RefusedStatementException {
    if (engine == Engine.MARIADB && (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at))) {
      throw new RefusedStatementException(
          "it has a comment that MariaDB executes", "write what it holds without the comment");
    }
    int depth = 0;
    int i = at;
    do {
      if (sql.startsWith("/*", i) && (depth == 0 || engine == Engine.POSTGRESQL)) {
        depth++;
        i += 2;
      } else if (sql.startsWith("*/", i)) {
        depth--;
        i += 2;
      } else {
        i++;
      }
    } while (depth > 0 && i < sql.length());
    if (depth > 0) {
      throw unfinished("comment");
    }
    at = i;
  }

  private int quoted(int open, char quote, boolean backslashes) throws RefusedStatementException {
    for (int i = open + 1; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c == '\\' && backslashes) {
        i++;
      } else if (c == quote) {
        if (i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
          i++;
        } else {
          return i + 1;
        }
      }
    }
    throw unfinished("text in quotes");
  }

  private int dollarTagEnd() {
    int i = at + 1;
    while (i < sql.length() && (isLetter(sql.charAt(i)) || isDigit(sql.charAt(i)))) {
      i++;
    }
    return i < sql.length() && sql.charAt(i) == '$' ? i + 1 : -1;
  }

  private void dollarString() throws RefusedStatementException {
    int bodyStart = dollarTagEnd();
    String tag = sql.substring(at, bodyStart);
    int close = sql.indexOf(tag, bodyStart);
    if (close < 0) {
      throw unfinished("text in " + tag);
    }
    add(Kind.STRING, close + tag.length());
  }

  /** pgjdbc reads a doubled question mark as an operator. */
  private void parameter() {
    if (engine == Engine.POSTGRESQL && sql.startsWith("??", at)) {
      add(Kind.SYMBOL, at + 2);
    } else {
      add(Kind.PARAMETER, at + 1);
    }
  }

  private void symbol() {
    boolean pair = sql.startsWith("::", at) || sql.startsWith(":=", at) || sql.startsWith("@@", at);
    add(Kind.SYMBOL, at + (pair ? 2 : 1));
  }

  private int wordEnd(int from) {
    int i = from;
    while (i < sql.length()
        && (isLetter(sql.charAt(i)) || isDigit(sql.charAt(i)) || sql.charAt(i) == '$')) {
      i++;
    }
    return i;
  }

  /** A text that goes on on another line has the escapes of its first part on PostgreSQL. */
  private void checkContinued() throws RefusedStatementException {
    SqlToken before = tokens.isEmpty() ? null : tokens.getLast();
    if (before != null
        && before.kind() == Kind.STRING
        && engine == Engine.POSTGRESQL
        && before.text().toLowerCase(Locale.ROOT).startsWith("e")) {
      throw new RefusedStatementException(
          "a text with escapes goes on behind its end", "write it as one text");
    }
  }

  private void add(Kind kind, int end) {
    tokens.add(new SqlToken(kind, sql.substring(at, end), at));
    at = end;
  }

  private static RefusedStatementException unfinished(String what) {
    return new RefusedStatementException("a " + what + " has no end", "end it");
  }
}
