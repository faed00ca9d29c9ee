package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.StatementAnalysis.MomentPlaces;

/**
 * The columns of the tables that a write changes or reads, as far as what they hold, or are
 * calculated from, may be something else at each replica.
 */
final class InvolvedColumns {
  /** The types of PostgreSQL that no text is read as a moment for. */
  private static final Set<String> PLAIN =
      Set.of(
          ("smallint integer bigint int int2 int4 int8 serial bigserial numeric decimal real double"
                  + " float float4 float8 boolean bool uuid json jsonb jsonpath bytea text character"
                  + " varchar char bpchar name citext xml inet cidr macaddr macaddr8 bit varbit money"
                  + " oid regclass point line lseg box path polygon circle interval tsvector tsquery"
                  + " int4range int8range numrange hstore ltree")
              .split(" "));

  private static final Set<String> TEXTS =
      Set.of("text", "character", "varchar", "char", "bpchar", "name", "citext", "json", "jsonb");

  /** Functions of MariaDB that give a time of day. */
  private static final Set<String> TIMES =
      Set.of("str_to_date", "maketime", "sec_to_time", "timediff", "addtime", "subtime", "time");

  /** The types of PostgreSQL that hold numbers which each server gives what is in its catalogue. */
  private static final Set<String> NUMBERS_OF_THE_CATALOGUE =
      Set.of(
          ("oid regclass regproc regprocedure regoper regoperator regtype regrole regnamespace"
                  + " regcollation")
              .split(" "));

  /** Functions that make a moment of a text in a way that no clock decides. */
  private static final Set<String> READERS =
      Set.of(
          "to_timestamp",
          "to_date",
          "date_trunc",
          "make_date",
          "make_timestamp",
          "make_timestamptz",
          "length");

  private final List<SqlToken> tokens;
  private final List<TableShape> involved = new ArrayList<>();

  InvolvedColumns(
      List<SqlToken> tokens, TableShape written, Set<String> others, TableCatalog tables) {
    this.tokens = tokens;
    involved.add(written);
    others.forEach(other -> tables.find(other).ifPresent(involved::add));
  }

  /** The columns of the tables that a query reads which fills a new one. */
  InvolvedColumns(List<SqlToken> tokens, Set<String> read, TableCatalog tables) {
    this.tokens = tokens;
    read.forEach(each -> tables.find(each).ifPresent(involved::add));
  }

  /** Refuses a query that gives each server's new table other rows. */
  void checkFilling(Engine engine) throws RefusedStatementException {
    checkCalculated();
    if (engine == Engine.POSTGRESQL) {
      moments();
    } else if (readsTime()) {
      throw new RefusedStatementException(
          "each server may take the day of a time from its clock",
          "make the table first, and fill it with an INSERT");
    }
  }

  /** Refuses to read a column that each server calculates anew when it is read. */
  void checkCalculated() throws RefusedStatementException {
    Optional<ColumnShape> calculated =
        involved.stream()
            .flatMap(table -> table.columns().stream())
            .filter(ColumnShape::calculatedAnew)
            .filter(column -> isNamed(column.name()))
            .findFirst();
    if (calculated.isPresent()) {
      throw new RefusedStatementException(
          "it reads the column %s, which each server calculates from its clock or by chance"
              .formatted(calculated.get().name()),
          "name the other columns, and write the value that the column is to give");
    }
  }

  /**
   * Whether MariaDB may put in what its clock says without being asked for it: a moment for a NULL
   * or at a change, or the day of a time for which a date is needed.
   *
   * @param insert the parts of an INSERT; null: it is none
   * @param adds whether it adds rows and changes none
   */
  boolean takesMoment(@Nullable InsertShape insert, boolean adds) {
    boolean all = insert != null && insert.columnsOpen() < 0;
    boolean dates = !adds && involved.getFirst().changesByItself();
    return dates
        || involved.getFirst().columns().stream()
            .anyMatch(column -> column.dated() && (all || isNamed(column.name())))
        || readsTime();
  }

  /** Whether there is a column of MariaDB that keeps moments rather than local times. */
  boolean hasTimestamps() {
    return involved.stream()
        .flatMap(table -> table.columns().stream())
        .anyMatch(column -> family(column.type()).equals("timestamp"));
  }

  private boolean readsTime() {
    return involved.stream()
            .flatMap(table -> table.columns().stream())
            .anyMatch(column -> family(column.type()).equals("time") && isNamed(column.name()))
        || IntStream.range(1, tokens.size()).anyMatch(this::isTime);
  }

  /** Whether a value that is a time of day begins at a piece, or a cast to one ends there. */
  private boolean isTime(int i) {
    SqlToken token = tokens.get(i);
    SqlToken next = i + 1 < tokens.size() ? tokens.get(i + 1) : token;
    boolean literal = token.is("TIME") && next.kind() == SqlToken.Kind.STRING;
    boolean escape = token.is("T") && tokens.get(i - 1).isSymbol("{");
    boolean cast = token.is("TIME") && (tokens.get(i - 1).is("AS") || next.isSymbol(")"));
    return literal || escape || cast || (TIMES.contains(token.name()) && next.isSymbol("("));
  }

  /** Whether a column is read by its name, or with all others. */
  private boolean isNamed(String name) {
    for (int i = 1; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      SqlToken before = tokens.get(i - 1);
      // Behind a product's sign there is always one more operand.
      boolean product = i + 1 < tokens.size() && isOperand(tokens.get(i + 1));
      boolean all = token.isSymbol("*") && !before.isSymbol("(") && !product;
      if (all || token.is("NATURAL") || (token.isName() && token.name().equals(name))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOperand(SqlToken token) {
    return !token.is("FROM")
        && !token.isSymbol(",")
        && !token.isSymbol(")")
        && !token.isSymbol(";");
  }

  /** Tells where PostgreSQL may read a text as a moment; refuses to let it read those of rows. */
  MomentPlaces moments() throws RefusedStatementException {
    checkNumberColumns();
    boolean casts = false;
    for (int i = 1; i + 1 < tokens.size(); i++) {
      checkNumbered(i);
      if (tokens.get(i).isSymbol("::") && !isPlainType(i + 1)) {
        checkCast(startOfOperand(i - 1), i);
        casts = true;
      } else if (tokens.get(i - 1).is("CAST") && tokens.get(i).isSymbol("(")) {
        int as = castAs(i);
        if (as > 0 && !isPlainType(as + 1)) {
          checkCast(i, as);
          casts = true;
        }
      }
    }
    if (casts) {
      return MomentPlaces.BY_CASTS;
    }
    boolean columns =
        involved.stream()
            .flatMap(table -> table.columns().stream())
            .anyMatch(column -> !PLAIN.contains(family(column.type())));
    return columns ? MomentPlaces.IN_COLUMNS : MomentPlaces.NONE;
  }

  /** Refuses tables that hold numbers which each server has given what is called so. */
  private void checkNumberColumns() throws RefusedStatementException {
    for (TableShape table : involved) {
      for (ColumnShape column : table.columns()) {
        Optional<TableCatalog.Unfit> unfit = numbered(column);
        if (unfit.isPresent()) {
          throw unfit.get().refusal();
        }
      }
    }
  }

  /** The reason for which no row of a column's table is written, if its type is one. */
  static Optional<TableCatalog.Unfit> numbered(ColumnShape column) {
    return isNumberOfTheCatalogue(family(column.type()))
        ? Optional.of(
            new TableCatalog.Unfit(
                "the column %s holds a number that each server has given what is called so"
                    .formatted(column.name()),
                "make it a text"))
        : Optional.empty();
  }

  /**
   * Whether a type of PostgreSQL is of numbers which each server gives what is in its catalogue.
   */
  static boolean isNumberOfTheCatalogue(String type) {
    return NUMBERS_OF_THE_CATALOGUE.contains(type);
  }

  /** Refuses a cast to a number that each server has given what is called so. */
  private void checkNumbered(int i) throws RefusedStatementException {
    int as = tokens.get(i - 1).is("CAST") && tokens.get(i).isSymbol("(") ? castAs(i) : 0;
    int type = tokens.get(i).isSymbol("::") ? i + 1 : as > 0 ? as + 1 : i;
    boolean casts = type > i || tokens.get(i + 1).kind() == SqlToken.Kind.STRING;
    while (casts && type + 2 < tokens.size() && tokens.get(type + 1).isSymbol(".")) {
      type += 2;
    }
    if (casts && NUMBERS_OF_THE_CATALOGUE.contains(tokens.get(type).name())) {
      throw new RefusedStatementException(
          "each server has numbers of its own for a value of the type %s"
              .formatted(tokens.get(type).text()),
          "write the name as a text");
    }
  }

  private boolean isPlainType(int i) {
    int at = i;
    while (at + 2 < tokens.size() && tokens.get(at + 1).isSymbol(".")) {
      at += 2;
    }
    return at < tokens.size() && PLAIN.contains(tokens.get(at).name());
  }

  /** The AS of a cast whose parenthesis is open; 0: there is none. */
  private int castAs(int open) {
    int depth = 0;
    int close = CallScan.closing(tokens, open);
    for (int i = open; i < close; i++) {
      depth += tokens.get(i).isSymbol("(") ? 1 : tokens.get(i).isSymbol(")") ? -1 : 0;
      if (depth == 1 && tokens.get(i).is("AS")) {
        return i;
      }
    }
    return 0;
  }

  private int startOfOperand(int last) {
    int start = tokens.get(last).isSymbol(")") ? opening(tokens, last) : last;
    return start > 0 && tokens.get(start).isSymbol("(") && tokens.get(start - 1).isName()
        ? start - 1
        : start;
  }

  /** The index of the parenthesis that the one at an index closes; 0 if there is none. */
  static int opening(List<SqlToken> tokens, int close) {
    int depth = 0;
    for (int i = close; i > 0; i--) {
      if (tokens.get(i).isSymbol(")")) {
        depth++;
      } else if (tokens.get(i).isSymbol("(") && --depth == 0) {
        return i;
      }
    }
    return 0;
  }

  private void checkCast(int from, int to) throws RefusedStatementException {
    int first = tokens.get(from).isSymbol("(") ? from + 1 : from;
    if (READERS.contains(tokens.get(first).name())) {
      return;
    }
    for (int i = first; i < to; i++) {
      SqlToken token = tokens.get(i);
      boolean call = tokens.get(i + 1).isSymbol("(");
      if (token.isName() && !call && isAny(token.name(), InvolvedColumns::isText)) {
        throw new RefusedStatementException(
            "a text of the column %s may be read as a moment by each replica's clock"
                .formatted(token.name()),
            "call to_timestamp or to_date with a format, or read first and write the moments");
      }
    }
  }

  private boolean isAny(String name, Predicate<ColumnShape> what) {
    return involved.stream().flatMap(table -> table.column(name).stream()).anyMatch(what);
  }

  private static boolean isText(ColumnShape column) {
    return TEXTS.contains(family(column.type()));
  }

  /** The first word of a type, in lower case. */
  private static String family(String type) {
    int end = 0;
    while (end < type.length() && Character.isLetterOrDigit(type.charAt(end))) {
      end++;
    }
    return type.substring(0, end).toLowerCase(Locale.ROOT);
  }
}
