package org.terrace.cluster.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.FunctionCatalog.Known;
import org.terrace.cluster.sql.FunctionCatalog.Nature;

/**
 * The search of a statement for calls of functions.
 *
 * <p>Every name before a parenthesis is taken for a call unless it is a known keyword or stands
 * where no call can: so nothing is missed, and what is taken wrongly is refused at worst.
 */
final class CallScan {
  private static final Set<String> PLACES =
      Set.of("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid");

  private static final Set<String> SYSTEM_SCHEMAS = Set.of("pg_catalog", "information_schema");

  private final String sql;
  private final List<SqlToken> tokens;
  private final Engine engine;
  private final Set<String> declared;
  private final TableCatalog tables;
  private final UnseenCalls unseen;
  private final MomentClock clock;

  /** Whether no row can come from a table; null: it has not been looked up. */
  private @Nullable Boolean single;

  CallScan(
      String sql, List<SqlToken> tokens, Engine engine, Set<String> declared, TableCatalog tables) {
    this(sql, tokens, engine, declared, tables, MomentClock.none());
  }

  /**
   * The search of a write.
   *
   * @param clock the clock that shows all servers one moment, if any does
   */
  CallScan(
      String sql,
      List<SqlToken> tokens,
      Engine engine,
      Set<String> declared,
      TableCatalog tables,
      MomentClock clock) {
    this.sql = sql;
    this.tokens = tokens;
    this.engine = engine;
    this.declared = declared;
    this.tables = tables;
    this.unseen = new UnseenCalls(tokens, engine, declared, tables);
    this.clock = clock;
  }

  /** Refuses the functions that a read must not call. */
  void checkRead(SqlEdits edits) throws RefusedStatementException {
    for (int i = 0; i < tokens.size(); i++) {
      checkValueFor(i, edits);
      unseen.checkRowFunction(i);
      unseen.checkDefaultOf(i);
      Optional<Known> call = callAt(i, "read");
      if (call.isEmpty()) {
        continue;
      }
      switch (call.get().nature()) {
        case PURE, ONCE, EACH_TIME, ORDER, SERVER -> {}
        case SEQUENCE -> number(i, edits);
        case SESSION -> throw ofSession(tokens.get(i));
        case NAMED_LOCK -> throw ofNamedLock(tokens.get(i));
      }
    }
  }

  /**
   * Replaces what is to be found once and refuses what would differ among replicas.
   *
   * @param valuesFrom the index of the first piece of a list of VALUES, each of which is evaluated
   *     once; the number of pieces if there is none
   * @param severalFrom the index of the first piece that is evaluated for each of several rows; the
   *     number of pieces if there is none
   */
  void checkWrite(SqlEdits edits, int valuesFrom, boolean valuesOnly, int severalFrom)
      throws RefusedStatementException {
    for (int i = 0; i < tokens.size(); i++) {
      checkWord(i);
      boolean several = i >= severalFrom;
      if (several && AlteredTable.isNextValue(tokens, i)) {
        throw ofSeveralRows(tokens.get(i - 1));
      }
      checkValueFor(i, edits);
      unseen.checkRowFunction(i);
      Optional<Known> call = callAt(i, "write");
      if (call.isEmpty()) {
        continue;
      }
      SqlToken name = tokens.get(i);
      Nature nature = call.get().nature();
      if (several && (nature == Nature.SEQUENCE || nature == Nature.EACH_TIME)) {
        throw ofSeveralRows(name);
      }
      switch (nature) {
        case PURE -> {}
        case ONCE -> evaluate(i, call.get(), edits);
        case EACH_TIME -> {
          if (!valuesOnly || i < valuesFrom) {
            throw new RefusedStatementException(
                "it calls %s() for every row, and each replica would get other values"
                    .formatted(name.name()),
                "make the values in the application and give them as parameters");
          }
          evaluate(i, call.get(), edits);
        }
        case ORDER ->
            throw new RefusedStatementException(
                "the result of %s() may depend on the order in which a replica finds rows"
                    .formatted(name.name()),
                "read it first and write the result, or add 'functions=%s' to the URL if it cannot"
                    .formatted(name.name()));
        case SERVER ->
            throw new RefusedStatementException(
                "%s() tells something of one server".formatted(name.name()),
                "read it first and write the result");
        case SEQUENCE -> number(i, edits);
        case SESSION -> throw ofSession(name);
        case NAMED_LOCK -> throw ofNamedLock(name);
      }
    }
  }

  /** Refuses a piece that stands for something of one server without calling anything. */
  void checkWord(int i) throws RefusedStatementException {
    SqlToken token = tokens.get(i);
    boolean variable = token.isSymbol("@@") || token.isSymbol("@") || token.isSymbol(":=");
    if (variable && engine == Engine.MARIADB) {
      throw new RefusedStatementException(
          "it uses a variable of a session at one server", "give the value as a parameter");
    }
    if (engine == Engine.POSTGRESQL && token.isName() && PLACES.contains(token.name())) {
      throw new RefusedStatementException(
          "a row's %s is another at each replica".formatted(token.name()), "name rows by a key");
    }
    unseen.checkOrder(i);
    checkMoment(i);
  }

  /** Refuses a text that may be a moment. */
  void checkMoment(int i) throws RefusedStatementException {
    if (engine == Engine.POSTGRESQL) {
      MomentText.check(tokens, i);
    }
  }

  /** The known function that is called at a piece; refuses an unknown one. */
  Optional<Known> callAt(int i, String use) throws RefusedStatementException {
    SqlToken token = tokens.get(i);
    Optional<Known> known = callAt(i);
    if (known.isEmpty() && isCall(i) && !declared.contains(token.name())) {
      throw new RefusedStatementException(
          "the function %s() that it calls in a %s is not known".formatted(token.name(), use),
          "add 'functions=%s' to the URL if its result depends on its arguments alone and it changes nothing"
              .formatted(token.name()));
    }
    return known;
  }

  /** The known function that is called at a piece, unless the user says that it is pure. */
  Optional<Known> callAt(int i) {
    SqlToken token = tokens.get(i);
    boolean bare =
        token.kind() == SqlToken.Kind.WORD
            && FunctionCatalog.isCalledBare(token.name())
            && !isAfterDot(i);
    if (!bare && !isCall(i)) {
      return Optional.empty();
    }
    boolean own =
        declared.contains(token.name())
            || (!bare && tables.functions().names().contains(token.name()))
            || isQualified(engine, tokens, i);
    return own ? Optional.empty() : FunctionCatalog.findAt(engine, tokens, i);
  }

  /** Whether a function is called by the name of a schema that users can put functions into. */
  static boolean isQualified(Engine engine, List<SqlToken> tokens, int i) {
    boolean system =
        engine == Engine.POSTGRESQL && i > 1 && SYSTEM_SCHEMAS.contains(tokens.get(i - 2).name());
    return i > 0 && tokens.get(i - 1).isSymbol(".") && !system;
  }

  private boolean isCall(int i) {
    SqlToken token = tokens.get(i);
    // A name of MariaDB may begin with a digit, and nothing else that does is called.
    boolean named = token.isName() || token.kind() == SqlToken.Kind.NUMBER;
    if (!named || i + 1 >= tokens.size() || !tokens.get(i + 1).isSymbol("(")) {
      return false;
    }
    if (token.kind() == SqlToken.Kind.WORD && !FunctionCatalog.mayBeCall(token.name())) {
      return false;
    }
    int before = startOfName(i) - 1;
    if (before < 0) {
      return true;
    }
    SqlToken previous = tokens.get(before);
    boolean names =
        previous.is("INTO")
            || previous.is("AS")
            || previous.is("WITH")
            || previous.is("RECURSIVE")
            || previous.is("TABLE");
    return !names && !previous.isSymbol(")") && !previous.isSymbol("::");
  }

  private boolean isAfterDot(int i) {
    return i > 0 && tokens.get(i - 1).isSymbol(".");
  }

  /** Whether a name is that of the table that is written. */
  private boolean isWritten(int i) {
    int start = startOfName(i);
    SqlToken before = tokens.get(Math.max(0, start - 1));
    return before.is("INTO") || before.is("UPDATE");
  }

  private int callStart(int i) {
    return tokens.get(startOfName(i)).start();
  }

  private int startOfName(int i) {
    int start = i;
    while (start > 1 && tokens.get(start - 1).isSymbol(".")) {
      start -= 2;
    }
    return start;
  }

  private void evaluate(int i, Known known, SqlEdits edits) throws RefusedStatementException {
    int last = lastOfCall(i);
    for (int inside = i + 1; inside < last; inside++) {
      SqlToken token = tokens.get(inside);
      boolean constant =
          token.kind() == SqlToken.Kind.NUMBER
              || token.isSymbol("(")
              || token.isSymbol(",")
              || token.isSymbol("-");
      if (!constant) {
        throw new RefusedStatementException(
            "%s() has arguments that are no numbers".formatted(tokens.get(i).name()),
            "compute it in the application and give it as a parameter");
      }
    }
    if ((known.nature() == Nature.ONCE && clock.shows()) || clock.replaces(tokens.get(i), edits)) {
      return;
    }
    int start = callStart(i);
    int end = tokens.get(last).end();
    String parameter = parameterOf(engine, known.type());
    String expression = sql.substring(start, end);
    if (known.nature() == Nature.EACH_TIME) {
      edits.evaluateAnew(start, end, parameter, expression);
    } else {
      edits.evaluate(start, end, parameter, expression, null);
    }
  }

  private void number(int i, SqlEdits edits) throws RefusedStatementException {
    int last = lastOfCall(i);
    boolean isNext = tokens.get(i).name().equals("nextval") && last == i + 3 && isSingle();
    SqlToken argument = isNext ? tokens.get(i + 2) : tokens.get(i);
    boolean named =
        argument.kind() == SqlToken.Kind.STRING || (engine == Engine.MARIADB && argument.isName());
    if (!isNext || !named) {
      throw ofSequence();
    }
    String text = argument.text();
    String sequence =
        argument.kind() == SqlToken.Kind.WORD ? text : text.substring(1, text.length() - 1);
    number(callStart(i), last, sequence, "nextval", edits);
  }

  private void number(int start, int last, String sequence, String name, SqlEdits edits) {
    String parameter = parameterOf(engine, engine == Engine.POSTGRESQL ? "bigint" : "SIGNED");
    boolean column =
        tokens.getFirst().is("SELECT")
            && tokens.size() > 1
            && tokens.get(1).start() == start
            && last == tokens.size() - 1;
    edits.evaluate(
        start,
        tokens.get(last).end(),
        column ? parameter + " AS " + name : parameter,
        null,
        sequence);
  }

  /** Numbers by NEXT VALUE FOR, which looks like no call. */
  private void checkValueFor(int i, SqlEdits edits) throws RefusedStatementException {
    boolean isFor =
        i > 1
            && i + 1 < tokens.size()
            && tokens.get(i).is("FOR")
            && tokens.get(i - 1).is("VALUE")
            && tokens.get(i + 1).isName();
    if (!isFor) {
      return;
    }
    boolean qualified = i + 2 < tokens.size() && tokens.get(i + 2).isSymbol(".");
    if (!tokens.get(i - 2).is("NEXT") || qualified || !isSingle()) {
      throw ofSequence();
    }
    SqlToken name = tokens.get(i + 1);
    String text = name.text();
    String sequence =
        name.kind() == SqlToken.Kind.WORD ? text : text.substring(1, text.length() - 1);
    number(tokens.get(i - 2).start(), i + 1, sequence, "nextval", edits);
  }

  private boolean isSingle() {
    if (single == null) {
      single =
          tokens.stream().noneMatch(token -> token.is("FROM"))
              && IntStream.range(0, tokens.size()).noneMatch(this::isOfSets);
    }
    return single;
  }

  /** Whether a function stands at a piece that makes several rows of one. */
  private boolean isOfSets(int i) {
    String name = tokens.get(i).name();
    boolean known =
        FunctionCatalog.isOfSets(engine, name) || tables.functions().ofSets().contains(name);
    return known && tokens.get(i).isName() && (isAfterDot(i) || isCall(i)) && !isWritten(i);
  }

  private int lastOfCall(int i) {
    if (i + 1 >= tokens.size() || !tokens.get(i + 1).isSymbol("(")) {
      return i;
    }
    return closing(tokens, i + 1);
  }

  /** The index of the parenthesis that closes the one at an index. */
  static int closing(List<SqlToken> tokens, int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      if (tokens.get(i).isSymbol("(")) {
        depth++;
      } else if (tokens.get(i).isSymbol(")") && --depth == 0) {
        return i;
      }
    }
    return tokens.size() - 1;
  }

  /** The text of a parameter of a type. */
  static String parameterOf(Engine engine, @Nullable String type) {
    boolean cast = type != null && (engine == Engine.POSTGRESQL || type.equals("SIGNED"));
    return cast ? "CAST(? AS " + type + ")" : "?";
  }

  private static RefusedStatementException ofSession(SqlToken name) {
    return new RefusedStatementException(
        "%s() tells what one server's session did".formatted(name.name()),
        "use RETURNING or Statement.getGeneratedKeys() for numbers, and Connection's methods else");
  }

  private static RefusedStatementException ofSequence() {
    return new RefusedStatementException(
        "it uses a sequence in a way that cannot be done once for all replicas",
        "ask for one number with SELECT nextval('name'), without FROM, and set a sequence with"
            + " ALTER SEQUENCE name RESTART WITH number");
  }

  private static RefusedStatementException ofSeveralRows(SqlToken name) {
    return new RefusedStatementException(
        "%s is evaluated once for all servers, and several rows would get that one value"
            .formatted(name.text()),
        "write one row with each statement, or as a batch of such statements");
  }

  private static RefusedStatementException ofNamedLock(SqlToken name) {
    return new RefusedStatementException(
        "%s() is part of something more, and the cluster itself keeps locks with names"
            .formatted(name.name()),
        "call it alone: SELECT %s(...)".formatted(name.name()));
  }
}
