package org.terrace.cluster.sql;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;
import org.terrace.cluster.sql.StatementAnalysis.Kind;

/**
 * The judge of statements: it tells reads from writes, replaces what would differ among replicas by
 * parameters, and refuses what cannot be made the same. Thread-safe; the last {@value #KEPT_MAX}
 * analyses are kept.
 */
public final class StatementAnalyzer {
  private static final int KEPT_MAX = 2_000;

  /** No statement of more characters is analysed. */
  private static final int LENGTH_MAX = 4_000_000;

  /** Longer ones are not kept. */
  private static final int KEPT_LENGTH_MAX = 20_000;

  private static final Set<String> CALLERS_BUSINESS =
      Set.of("BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "END", "ABORT");
  private static final Set<String> DEFINITIONS =
      Set.of("CREATE", "ALTER", "DROP", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "RENAME");

  /** Words with which a query writes; PostgreSQL spells the last in both ways. */
  private static final Set<String> WRITING =
      Set.of("INSERT", "DELETE", "MERGE", "ANALYZE", "ANALYSE");

  private final Engine engine;
  private final Set<String> declared;
  private final ExecutorService executor;
  private final Duration limit;
  private volatile Judged judged;

  /** Tables, and the analyses by them. */
  private record Judged(TableCatalog catalog, Map<String, StatementAnalysis> kept) {
    Judged(TableCatalog catalog) {
      this(
          catalog,
          Collections.synchronizedMap(
              new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, StatementAnalysis> eldest) {
                  return size() > KEPT_MAX;
                }
              }));
    }
  }

  /**
   * A judge without analyses.
   *
   * @param declared functions of which the user says that they are pure, in lower case
   * @param executor where statements are parsed
   * @param limit how long that may take
   */
  public StatementAnalyzer(
      Engine engine,
      TableCatalog catalog,
      Set<String> declared,
      ExecutorService executor,
      Duration limit) {
    this.engine = engine;
    this.judged = new Judged(catalog);
    this.declared = Set.copyOf(declared);
    this.executor = executor;
    this.limit = limit;
  }

  /** Judges by other tables from now on. */
  public void use(TableCatalog newCatalog) {
    judged = new Judged(newCatalog);
  }

  /** Analyses a statement, or refuses it. */
  public StatementAnalysis analyze(String sql) throws RefusedStatementException {
    Judged by = judged;
    StatementAnalysis known = by.kept().get(sql);
    if (known != null) {
      return known;
    }
    if (sql.length() > LENGTH_MAX) {
      throw new RefusedStatementException(
          "it has more than " + LENGTH_MAX + " characters", "give long values as parameters");
    }
    if (sql.indexOf('\0') >= 0) {
      throw new RefusedStatementException(
          "it has the character NUL, at which a server ends it", "leave the character out");
    }
    StatementAnalysis analysis = judge(sql, by.catalog());
    if (sql.length() <= KEPT_LENGTH_MAX) {
      by.kept().put(sql, analysis);
    }
    return analysis;
  }

  /**
   * Refuses a definition after which a table could be written no more, by the tables that there
   * would be: one that it names or, as an extension names nothing that it makes, any.
   */
  public void checkWritable(String definition, TableCatalog after)
      throws RefusedStatementException {
    List<SqlToken> tokens = SqlScanner.scan(definition, engine);
    Set<String> named = new HashSet<>();
    tokens.stream().filter(SqlToken::isName).forEach(token -> named.add(token.name()));
    boolean extension = tokens.size() > 1 && tokens.get(1).is("EXTENSION");
    after.checkWritable(judged.catalog(), named, extension);
  }

  /** Refuses a statement whose escapes a driver would replace against its client's will. */
  public void checkEscapes(String sql, boolean wanted) throws RefusedStatementException {
    if (wanted || sql.indexOf('{') < 0) {
      return;
    }
    if (SqlScanner.scan(sql, engine).stream().anyMatch(token -> token.isSymbol("{"))) {
      throw new RefusedStatementException(
          "it has a brace, and its client wants none replaced",
          "call setEscapeProcessing(true), or put the brace into a text");
    }
  }

  private StatementAnalysis judge(String sql, TableCatalog tables)
      throws RefusedStatementException {
    List<SqlToken> tokens = new ArrayList<>(SqlScanner.scan(sql, engine));
    while (!tokens.isEmpty() && tokens.getLast().isSymbol(";")) {
      tokens.removeLast();
    }
    if (tokens.isEmpty()) {
      throw new RefusedStatementException("it is empty", "write a statement");
    }
    if (tokens.stream().anyMatch(token -> token.isSymbol(";"))) {
      throw new RefusedStatementException(
          "it is several statements in one", "execute them one by one, or as a batch");
    }
    Optional<LockCall> lock = LockCall.of(sql, tokens, engine, declared, tables);
    if (lock.isPresent()) {
      return StatementAnalysis.ofLock(lock.get());
    }
    if (SessionSetting.isQuery(tokens)) {
      return StatementAnalysis.simple(Kind.SETTING, sql);
    }
    SqlToken first =
        tokens.stream().filter(token -> !token.isSymbol("(")).findFirst().orElse(tokens.getFirst());
    String keyword = first.text().toUpperCase(Locale.ROOT);
    return switch (keyword) {
      case "SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN", "DESCRIBE", "DESC" ->
          read(sql, tokens, tables);
      case "INSERT", "REPLACE", "UPDATE", "DELETE" -> write(sql, tokens, tables, keyword);
      case "SET", "RESET" -> SessionSetting.analyze(sql, tokens, engine);
      default -> other(sql, tokens, keyword, tables);
    };
  }

  private StatementAnalysis other(
      String sql, List<SqlToken> tokens, String keyword, TableCatalog tables)
      throws RefusedStatementException {
    if (DEFINITIONS.contains(keyword)) {
      return new DefinitionCheck(
              sql,
              tokens,
              engine,
              pieces -> new CallScan(sql, pieces, engine, declared, tables),
              (query, pieces) -> {
                ParsedWrite parsed = ParsedWrite.of(query, engine, executor, limit).within(tables);
                parsed.checkChosenRows(engine, tables, pieces);
                return NamedQueries.tablesAmong(parsed.others(), tables, pieces);
              })
          .analyze(tables);
    }
    if (CALLERS_BUSINESS.contains(keyword)) {
      throw new RefusedStatementException(
          "the bounds of transactions are not written as text",
          "call setAutoCommit, commit, rollback and setSavepoint of Connection");
    }
    boolean copies = keyword.equals("COPY") || keyword.equals("LOAD");
    throw new RefusedStatementException(
        "what %s does cannot be told to be the same at every replica".formatted(keyword),
        copies
            ? "write many rows as a batch of INSERT (addBatch), read many with setFetchSize"
            : "write it as SELECT, INSERT, UPDATE or DELETE");
  }

  private StatementAnalysis read(String sql, List<SqlToken> tokens, TableCatalog tables)
      throws RefusedStatementException {
    boolean explains = tokens.getFirst().is("EXPLAIN");
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      boolean writes =
          WRITING.stream().anyMatch(token::is)
              || (explains && (token.is("CREATE") || token.is("REFRESH")));
      boolean updates = token.is("UPDATE") && i > 0 && !isLockClause(tokens, i);
      boolean calls = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol("(");
      if ((writes || updates || token.is("INTO")) && !calls && !isName(tokens, i)) {
        throw new RefusedStatementException(
            "it writes within a query (%s)".formatted(token.text()),
            "write first and read then, in one transaction");
      }
    }
    SqlEdits edits = new SqlEdits();
    new CallScan(sql, tokens, engine, declared, tables).checkRead(edits);
    List<Evaluation> evaluations = new ArrayList<>();
    String changed = edits.apply(sql, tokens, evaluations);
    if (!isLocking(tokens)) {
      return new StatementAnalysis(
          Kind.READ, changed, evaluations, Set.of(), Set.of(), false, null, null);
    }
    ParsedWrite parsed = ParsedWrite.of(sql, engine, executor, limit).within(tables);
    RowChoice row = RowFinder.locked(tokens, parsed.others(), tables);
    return new StatementAnalysis(
        Kind.LOCKING_READ,
        changed,
        evaluations,
        NamedQueries.tablesAmong(parsed.others(), tables, tokens),
        Set.of(),
        false,
        null,
        row);
  }

  /** Whether a word stands where only a name can. */
  private static boolean isName(List<SqlToken> tokens, int i) {
    return i > 0 && (tokens.get(i - 1).isSymbol(".") || tokens.get(i - 1).is("AS"));
  }

  private static boolean isLockClause(List<SqlToken> tokens, int update) {
    SqlToken before = tokens.get(update - 1);
    return before.is("FOR") || before.is("KEY");
  }

  private static boolean isLocking(List<SqlToken> tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      SqlToken before = tokens.get(i - 1);
      SqlToken token = tokens.get(i);
      boolean strength =
          token.is("UPDATE") || token.is("SHARE") || token.is("NO") || token.is("KEY");
      if ((before.is("FOR") && strength) || (before.is("IN") && token.is("SHARE"))) {
        return true;
      }
    }
    return false;
  }

  private StatementAnalysis write(
      String sql, List<SqlToken> tokens, TableCatalog tables, String keyword)
      throws RefusedStatementException {
    boolean inserts = keyword.equals("INSERT") || keyword.equals("REPLACE");
    InsertShape insert = inserts ? InsertShape.of(tokens, engine) : null;
    String readable = insert == null ? sql : insert.forParser(sql, tokens);
    ParsedWrite parsed = ParsedWrite.of(readable, engine, executor, limit).within(tables);
    TableShape table = tables.written(parsed.target());
    boolean adds =
        keyword.equals("INSERT") && tokens.stream().noneMatch(token -> token.is("UPDATE"));
    checkWhole(table);
    checkIgnore(tokens);
    parsed.checkChosenRows(engine, tables, tokens);
    InvolvedColumns involved = new InvolvedColumns(tokens, table, parsed.others(), tables);
    involved.checkCalculated();
    SqlEdits edits = new SqlEdits();
    MomentClock clock = MomentClock.of(engine, involved, insert, adds);
    boolean values = insert != null && insert.hasRows();
    boolean numbered = false;
    Set<Integer> settled = new HashSet<>();
    if (insert != null) {
      InsertFiller filler = new InsertFiller(tokens, engine, insert, table, edits, clock);
      filler.fill();
      numbered = filler.isNumbered();
      settled.addAll(filler.settled());
      if (insert.isAllDefault(tokens)) {
        settled.add(insert.source());
      }
    }
    boolean queries = tokens.stream().anyMatch(token -> token.is("SELECT"));
    new DefaultPlaces(tokens, engine, table, !queries && parsed.others().isEmpty()).check(settled);
    int valuesFrom = values && insert != null ? insert.rows().getFirst() : tokens.size();
    checkOrder(tokens);
    if (insert != null) {
      insert.checkConflicts(tokens);
      if (engine == Engine.MARIADB && !values) {
        parsed.checkNumbers(insert, table, tables, tokens);
      }
    }
    boolean valuesOnly =
        values && insert != null && !queries && insert.rowsEnd(tokens) > valuesFrom;
    new CallScan(sql, tokens, engine, declared, tables, clock)
        .checkWrite(edits, valuesFrom, valuesOnly, InsertShape.severalFrom(insert, tokens));
    clock.apply(tokens, edits);
    List<Evaluation> evaluations = new ArrayList<>();
    String changed = edits.apply(sql, tokens, evaluations);
    if (evaluations.stream().anyMatch(evaluation -> evaluation.sequence() != null)) {
      parsed.checkNumbered(engine, tables, tokens);
    }
    return new StatementAnalysis(
        Kind.WRITE,
        changed,
        evaluations,
        adds ? Set.of(table.name()) : withRelated(table, tables),
        readBy(parsed, table, tables, inserts, tokens),
        numbered,
        null,
        RowFinder.written(tokens, insert, table),
        engine == Engine.POSTGRESQL ? involved.moments() : StatementAnalysis.MomentPlaces.NONE);
  }

  /** Refuses a change that leaves rows as they are, or makes others, as each replica likes. */
  private static void checkIgnore(List<SqlToken> tokens) throws RefusedStatementException {
    boolean changes = tokens.getFirst().is("UPDATE") || tokens.getFirst().is("DELETE");
    boolean ignores = tokens.stream().skip(1).limit(3).anyMatch(token -> token.is("IGNORE"));
    if (changes && ignores) {
      throw new RefusedStatementException(
          "which rows IGNORE leaves as they are is up to each replica",
          "leave IGNORE out, and change those rows that can be");
    }
    for (int i = 1; changes && i < tokens.size(); i++) {
      if (tokens.get(i).is("PORTION") && tokens.get(i - 1).is("FOR")) {
        throw new RefusedStatementException(
            "each replica would make rows for the rest of a period, and number them by itself",
            "change the bounds of the row, and insert the others");
      }
    }
  }

  /** Refuses to write a table that nothing is written to. */
  private static void checkWhole(TableShape table) throws RefusedStatementException {
    Optional<TableCatalog.Unfit> unfit = table.unwritable();
    if (unfit.isPresent()) {
      throw unfit.get().refusal();
    }
  }

  private static Set<String> readBy(
      ParsedWrite parsed,
      TableShape table,
      TableCatalog tables,
      boolean inserts,
      List<SqlToken> tokens)
      throws RefusedStatementException {
    Set<String> read = NamedQueries.tablesAmong(parsed.others(), tables, tokens);
    if (inserts) {
      read.addAll(table.related());
    }
    return read;
  }

  /** A change of keys, or a delete, may go on to tables that refer to this one, and to theirs. */
  private static Set<String> withRelated(TableShape table, TableCatalog tables) {
    Set<String> reached = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(table.name()));
    for (String name = open.poll(); name != null; name = open.poll()) {
      if (reached.add(name)) {
        tables.find(name).ifPresent(shape -> open.addAll(shape.related()));
      }
    }
    return reached;
  }

  /** Refuses words by which the order of rows decides. */
  static void checkOrder(List<SqlToken> tokens) throws RefusedStatementException {
    for (SqlToken token : tokens) {
      if (token.is("LIMIT") || token.is("FETCH") || token.is("OFFSET") || token.is("TABLESAMPLE")) {
        throw new RefusedStatementException(
            "which rows %s leaves is up to each replica".formatted(token.text()),
            "select the keys first, with ORDER BY, and write those rows");
      }
      if (token.is("OVER") || token.is("DISTINCT")) {
        throw new RefusedStatementException(
            "%s in a write may depend on the order in which a replica finds rows"
                .formatted(token.text()),
            "read first and write the result");
      }
    }
  }

  /** Tells what a column's default does, by its text. */
  public static ColumnShape.DefaultReader defaults(Engine engine) {
    return text -> {
      try {
        return DefaultScan.filling(text, engine);
      } catch (RefusedStatementException e) {
        return ColumnShape.Filling.UNKNOWN;
      }
    };
  }
}
