package org.terrace.cluster.sql;

import java.util.List;

/**
 * A value of a row, without the parentheses around it.
 *
 * @param from the index of its first piece behind those parentheses
 */
record RowValue(List<SqlToken> pieces, int from, Engine engine) {

  static RowValue of(List<SqlToken> range, Engine engine) {
    int from = 0;
    int to = range.size();
    while (to - from > 2
        && range.get(from).isSymbol("(")
        && CallScan.closing(range.subList(0, to), from) == to - 1) {
      from++;
      to--;
    }
    return new RowValue(range.subList(from, to), from, engine);
  }

  /** Whether it asks for the default of the column that it stands for. */
  boolean isDefault() {
    return isSingle()
        && (first().is("DEFAULT") || (engine == Engine.MARIADB && first().is("IGNORE")));
  }

  /** Whether it is nothing but MariaDB's DEFAULT of that column. */
  boolean isDefaultOf(String column) {
    return engine == Engine.MARIADB
        && pieces.size() > 1
        && CallScan.closing(pieces, 1) == pieces.size() - 1
        && DefaultPlaces.columnOf(pieces, 0).filter(column::equals).isPresent();
  }

  boolean isParameter() {
    return isSingle() && first().kind() == SqlToken.Kind.PARAMETER;
  }

  /** Whether it is NULL or zero, for which MariaDB puts the next number. */
  boolean isNone() {
    return (isSingle() && first().is("NULL"))
        || (last().kind() == SqlToken.Kind.NUMBER && digits().matches("0+"));
  }

  /** Whether it is plainly another whole number than zero. */
  boolean isNumber() {
    return digits().matches("[0-9]*[1-9][0-9]*");
  }

  private boolean isSingle() {
    return pieces.size() == 1;
  }

  private SqlToken first() {
    return pieces.getFirst();
  }

  private SqlToken last() {
    return pieces.getLast();
  }

  /** The text of a number without its sign, or of a text; empty: it is neither. */
  private String digits() {
    boolean signed = pieces.size() == 2 && (first().isSymbol("-") || first().isSymbol("+"));
    String text = last().text();
    return switch (last().kind()) {
      case NUMBER -> isSingle() || signed ? text : "";
      case STRING -> isSingle() && text.length() > 1 ? text.substring(1, text.length() - 1) : "";
      case WORD, QUOTED_NAME, PARAMETER, SYMBOL -> "";
    };
  }
}
