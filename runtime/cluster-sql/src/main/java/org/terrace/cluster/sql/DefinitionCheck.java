package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.terrace.cluster.sql.FunctionCatalog.Known;
import org.terrace.cluster.sql.FunctionCatalog.Nature;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;
import org.terrace.cluster.sql.StatementAnalysis.Kind;

/**
 * The judge of a definition. Most fill no rows; one that makes a table of a query, or changes the
 * columns of one that has rows, is refused if replicas would fill them otherwise.
 */
final class DefinitionCheck {
  private static final Set<String> OBJECTS =
      Set.of(
          "TABLE", "INDEX", "VIEW", "SEQUENCE", "SCHEMA", "TYPE", "DOMAIN", "COLUMN", "EXTENSION");
  private static final Set<String> CODE =
      Set.of("FUNCTION", "PROCEDURE", "TRIGGER", "RULE", "EVENT", "AGGREGATE", "OPERATOR");

  /**
   * The engines of MariaDB that lose, or do not undo, what a transaction did, or do it elsewhere.
   */
  private static final Set<String> NOT_KEEPING =
      Set.of(
          ("memory heap myisam aria csv archive blackhole federated federatedx connect merge"
                  + " mrg_myisam spider s3 mroonga sphinx oqgraph columnstore")
              .split(" "));

  private static final Set<String> NEED_NO_OBJECT = Set.of("TRUNCATE", "GRANT", "REVOKE");

  /** The tables that a query reads, all of which must be known. */
  @FunctionalInterface
  interface TableFinder {
    /** Finds them, or refuses the query. */
    Set<String> of(String query, List<SqlToken> pieces) throws RefusedStatementException;
  }

  private final String sql;
  private final List<SqlToken> tokens;
  private final Engine engine;
  private final Function<List<SqlToken>, CallScan> scans;
  private final CallScan calls;
  private final TableFinder finder;

  DefinitionCheck(
      String sql,
      List<SqlToken> tokens,
      Engine engine,
      Function<List<SqlToken>, CallScan> scans,
      TableFinder finder) {
    this.sql = sql;
    this.tokens = tokens;
    this.engine = engine;
    this.scans = scans;
    this.calls = scans.apply(tokens);
    this.finder = finder;
  }

  StatementAnalysis analyze(TableCatalog tables) throws RefusedStatementException {
    checkKind();
    checkKept();
    if (engine == Engine.MARIADB) {
      checkVersions();
      checkModel(tables);
      checkCapitals(tables);
    }
    SqlEdits edits = new SqlEdits();
    boolean creates = tokens.getFirst().is("CREATE");
    if (creates || tokens.getFirst().is("ALTER")) {
      for (int i = 0; i < tokens.size(); i++) {
        calls.checkMoment(i);
      }
    }
    if (creates) {
      Optional<Integer> query = FilledTable.query(tokens, engine);
      if (query.isPresent()) {
        checkQuery(query.get(), edits, tables);
      } else if (tokens.stream().limit(6).anyMatch(token -> token.is("VIEW"))) {
        checkView();
      }
      if (tokens.size() > 1 && tokens.get(1).is("DOMAIN")) {
        checkDomain();
      }
    } else if (tokens.getFirst().is("ALTER")) {
      new AlteredTable(tokens, calls).check(tables);
      if (tokens.stream().limit(6).anyMatch(token -> token.is("VIEW"))) {
        checkView();
      }
    }
    List<Evaluation> evaluations = new ArrayList<>();
    String changed = edits.apply(sql, tokens, evaluations);
    return new StatementAnalysis(
        Kind.DEFINITION, changed, evaluations, Set.of(), Set.of(), false, null, null);
  }

  private void checkKind() throws RefusedStatementException {
    for (int i = 1; i < Math.min(tokens.size(), 4); i++) {
      SqlToken token = tokens.get(i);
      if (token.is("TEMPORARY") || token.is("TEMP") || token.is("UNLOGGED")) {
        throw new RefusedStatementException(
            "%s tables are of one session at one server".formatted(token.text()),
            "make an ordinary table");
      }
      if (token.is("CONCURRENTLY")) {
        throw new RefusedStatementException(
            "CONCURRENTLY needs more than one transaction", "leave it out");
      }
    }
    boolean known =
        tokens.stream()
            .limit(6)
            .map(token -> token.text().toUpperCase(Locale.ROOT))
            .filter(word -> OBJECTS.contains(word) || CODE.contains(word))
            .findFirst()
            .map(OBJECTS::contains)
            .orElse(NEED_NO_OBJECT.contains(tokens.getFirst().text().toUpperCase(Locale.ROOT)));
    if (!known) {
      throw new RefusedStatementException(
          "it defines what the cluster cannot see through",
          "define tables, indexes, views, sequences, schemas, types and rights through the cluster");
    }
  }

  /** Refuses what would be there in one session alone, or not after a crash. */
  private void checkKept() throws RefusedStatementException {
    for (int i = 1; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (engine == Engine.POSTGRESQL && token.isName() && token.name().matches("pg_temp(_.*)?")) {
        throw new RefusedStatementException(
            "what is in pg_temp is of one session at one server", "name another schema");
      }
      SqlToken before = tokens.get(i - 1);
      boolean engineIs = before.is("ENGINE") || (before.isSymbol("=") && isAt(i - 2, "ENGINE"));
      String named = token.text().replaceAll("[\"'`]", "").toLowerCase(Locale.ROOT);
      if (engine == Engine.MARIADB && engineIs && NOT_KEEPING.contains(named)) {
        throw new RefusedStatementException(
            "a server that fails may lose what is committed in the engine %s, or keep what is undone"
                .formatted(token.text()),
            "leave ENGINE out, or take InnoDB");
      }
    }
  }

  /** Refuses to have each server note by its own clock since when rows hold. */
  private void checkVersions() throws RefusedStatementException {
    for (int i = 1; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      boolean versions =
          token.is("VERSIONING")
              && isAt(i - 1, "SYSTEM")
              && !isAt(i - 2, "DROP")
              && !isAt(i - 2, "WITHOUT");
      boolean period =
          token.is("SYSTEM_TIME")
              && (isAt(i - 1, "BY") || (isAt(i - 2, "PERIOD") && !isAt(i - 3, "DROP")));
      if (versions || period) {
        throw new RefusedStatementException(
            "each server would note by its own clock since when the rows of the table hold",
            "leave the system's versions out, and keep earlier rows in a table of your own");
      }
    }
  }

  /** Refuses a table like one that nothing can be written to. */
  private void checkModel(TableCatalog tables) throws RefusedStatementException {
    int behind = endOfName(behindObject()) + 1;
    int like = isSymbol(behind, "(") ? behind + 1 : behind;
    int model = endOfName(like + 1);
    if (tokens.getFirst().is("CREATE") && isAt(like, "LIKE") && isName(model)) {
      Optional<RefusedStatementException> refusal = tables.refusal(tokens.get(model).name());
      if (refusal.isPresent()) {
        throw refusal.get();
      }
    }
  }

  /** Refuses a name that differs from a table's in capitals alone: neither could be written. */
  private void checkCapitals(TableCatalog tables) throws RefusedStatementException {
    Set<String> spellings = new HashSet<>(tables.spellings());
    Set<String> given = new LinkedHashSet<>();
    for (int[] naming : namings()) {
      if (naming[0] > 0 && isHere(naming[0], tables)) {
        spellings.remove(tokens.get(naming[0]).spelling());
      }
      if (isHere(naming[1], tables)) {
        spellings.add(tokens.get(naming[1]).spelling());
        given.add(tokens.get(naming[1]).spelling());
      }
    }
    // Without any, the server takes capitals for small letters.
    given.removeIf(name -> tables.spellings().isEmpty() || !spellings.contains(name));
    for (String name : given) {
      if (spellings.stream().anyMatch(each -> !each.equals(name) && each.equalsIgnoreCase(name))) {
        throw new RefusedStatementException(
            "nothing could be written to %s afterwards, nor to what is called so in other capitals"
                .formatted(name),
            "choose a name that differs in more, or write the table's own as it was defined");
      }
    }
  }

  /**
   * The last pieces of the names that it takes from tables, 0 if it takes none, and of those that
   * it gives instead.
   */
  private List<int[]> namings() {
    List<int[]> namings = new ArrayList<>();
    int named = endOfName(behindObject());
    if (tokens.getFirst().is("CREATE") && isName(named)) {
      namings.add(new int[] {0, named});
    }
    for (int i = named + 1; i < tokens.size(); i++) {
      boolean alters = tokens.getFirst().is("ALTER") && isAt(i, "RENAME");
      boolean column = isAt(i + 1, "COLUMN") || isAt(i + 1, "INDEX") || isAt(i + 1, "KEY");
      if (alters && !column) {
        boolean word = isAt(i + 1, "TO") || isAt(i + 1, "AS") || isSymbol(i + 1, "=");
        namings.add(new int[] {named, endOfName(word ? i + 2 : i + 1)});
      } else if (tokens.getFirst().is("RENAME") && isAt(i, "TO")) {
        namings.add(new int[] {named, endOfName(i + 1)});
      } else if (tokens.getFirst().is("RENAME") && isSymbol(i, ",")) {
        named = endOfName(i + 1);
      }
    }
    namings.removeIf(naming -> !isName(naming[1]));
    return namings;
  }

  /** The piece behind the kind of thing that it is about, and behind IF EXISTS. */
  private int behindObject() {
    int i = 1;
    while (i < tokens.size() && !isAt(i, "TABLE") && !isAt(i, "VIEW") && !isAt(i, "SEQUENCE")) {
      i++;
    }
    i++;
    return isAt(i, "IF") ? i + (isAt(i + 1, "NOT") ? 3 : 2) : i;
  }

  /** The last piece of a name that may have those of databases before it. */
  private int endOfName(int first) {
    int last = first;
    while (isSymbol(last + 1, ".") && isName(last + 2)) {
      last += 2;
    }
    return last;
  }

  /** Whether a name is of the database whose tables are known. */
  private boolean isHere(int name, TableCatalog tables) {
    return isName(name)
        && (!isSymbol(name - 1, ".") || tables.isQualifier(tokens.get(name - 2).spelling()));
  }

  private boolean isSymbol(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }

  private boolean isName(int i) {
    return i < tokens.size() && tokens.get(i).isName();
  }

  private boolean isAt(int i, String keyword) {
    return i >= 0 && i < tokens.size() && tokens.get(i).is(keyword);
  }

  /** Refuses a view whose every reader would do something at one server alone. */
  private void checkView() throws RefusedStatementException {
    int as = 2;
    while (as < tokens.size() && !tokens.get(as).is("AS")) {
      as++;
    }
    SqlEdits numbers = new SqlEdits();
    if (as < tokens.size()) {
      scans.apply(tokens.subList(as + 1, tokens.size())).checkRead(numbers);
    }
    if (!numbers.isEmpty()) {
      throw new RefusedStatementException(
          "whoever reads the view would take a number of a sequence at one server alone",
          "leave the sequence out of it");
    }
  }

  /** Refuses a default that columns have of their type, which are then added to rows. */
  private void checkDomain() throws RefusedStatementException {
    for (int i = 2; i < tokens.size(); i++) {
      Optional<Known> call = calls.callAt(i);
      if (call.isPresent() && call.get().nature() != Nature.PURE) {
        throw new RefusedStatementException(
            "it fills columns of its type with %s".formatted(tokens.get(i).text()),
            "give the default to the columns");
      }
    }
  }

  /** Judges the query that fills a new table as a write that reads it. */
  private void checkQuery(int query, SqlEdits edits, TableCatalog tables)
      throws RefusedStatementException {
    FilledTable filled = FilledTable.is(tokens, engine) ? FilledTable.of(sql, tokens) : null;
    for (int i = 0; i < tokens.size(); i++) {
      boolean inQuery = i >= query;
      Optional<Known> call = inQuery ? calls.callAt(i, "definition") : calls.callAt(i);
      boolean differs = call.isPresent() && call.get().nature() != Nature.PURE;
      boolean taken = differs && filled != null && filled.takes(i, edits);
      boolean numbers = AlteredTable.isNextValue(tokens, i);
      boolean defaults = inQuery && tokens.get(i).is("DEFAULT");
      if ((differs && !taken) || numbers || defaults) {
        throw AlteredTable.fillsWith(tokens.get(i).text());
      }
      if (inQuery) {
        calls.checkWord(i);
      }
    }
    List<SqlToken> pieces = tokens.subList(query, tokens.size());
    boolean counts = tokens.stream().anyMatch(AlteredTable::numbersRows);
    if (counts && pieces.stream().anyMatch(token -> token.is("FROM"))) {
      throw AlteredTable.numbers();
    }
    StatementAnalyzer.checkOrder(pieces);
    int end = tokens.getLast().end();
    if (tokens.getLast().is("DATA")) {
      end = tokens.get(tokens.size() - 3).end();
    }
    Set<String> read = finder.of(sql.substring(tokens.get(query).start(), end), pieces);
    new InvolvedColumns(pieces, read, tables).checkFilling(engine);
  }
}
