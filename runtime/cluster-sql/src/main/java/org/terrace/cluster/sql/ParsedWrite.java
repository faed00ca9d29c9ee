package org.terrace.cluster.sql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.upsert.Upsert;
import net.sf.jsqlparser.util.TablesNamesFinder;

/**
 * The structure of a write or a locking read, by JSQLParser within a bounded time.
 *
 * @param target the table that is written; empty for a read
 * @param others the other tables
 * @param qualifiers the schemas or databases that are named before tables, as they are written but
 *     for quotes
 * @param queries all queries that it has, also within others
 */
record ParsedWrite(
    String target,
    Set<String> others,
    Set<String> qualifiers,
    Statement statement,
    List<PlainSelect> queries) {

  static ParsedWrite of(String sql, Engine engine, ExecutorService executor, Duration limit)
      throws RefusedStatementException {
    Statement statement = parse(sql, engine, executor, limit);
    Set<String> qualifiers = new LinkedHashSet<>();
    Set<String> names;
    List<PlainSelect> queries = new ArrayList<>();
    try {
      names = names(statement, qualifiers, queries);
    } catch (UnsupportedOperationException e) {
      throw new RefusedStatementException(
          "its tables cannot be found", "write it as SELECT, INSERT, UPDATE or DELETE");
    }
    String target = target(statement);
    names.remove(target);
    return new ParsedWrite(target, names, qualifiers, statement, queries);
  }

  /**
   * Parses it whether its client is interrupted or not: that says nothing of the statement, and
   * whoever waits for a server next is told of it.
   */
  private static Statement parse(
      String sql, Engine engine, ExecutorService executor, Duration limit)
      throws RefusedStatementException {
    String readable = SqlScanner.forParser(sql, engine);
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return CCJSqlParserUtil.parse(
              readable,
              executor,
              parser ->
                  parser
                      .withTimeOut(limit.toMillis())
                      .withBackslashEscapeCharacter(engine == Engine.MARIADB));
        } catch (JSQLParserException e) {
          if (!(e.getCause() instanceof InterruptedException)) {
            throw new RefusedStatementException(
                "it cannot be understood within %d ms (%s)"
                    .formatted(limit.toMillis(), firstLine(e)),
                "write it in a simpler way");
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same, if all its tables are of the cluster's own database. */
  ParsedWrite within(TableCatalog tables) throws RefusedStatementException {
    for (String qualifier : qualifiers) {
      if (!tables.isQualifier(qualifier)) {
        throw new RefusedStatementException(
            "%s is another database, of whose tables nothing is known".formatted(qualifier),
            "open a cluster over that database, or keep the table in this one");
      }
    }
    return this;
  }

  /**
   * Every name that stands where a table can, those of WITH among them: whether such a name is a
   * query's or a table's at its place is not for the parser's finder to say, which forgets it
   * everywhere.
   */
  private static Set<String> names(
      Statement statement, Set<String> qualifiers, List<PlainSelect> queries) {
    Set<String> names = new LinkedHashSet<>();
    TablesNamesFinder<Void> finder =
        new TablesNamesFinder<>() {
          @Override
          public <S> Void visit(Table table, S context) {
            names.add(bare(table));
            addQualifier(table.getFullyQualifiedName(), qualifiers);
            return super.visit(table, context);
          }

          @Override
          public <S> Void visit(PlainSelect query, S context) {
            queries.add(query);
            return super.visit(query, context);
          }
        };
    finder
        .getTables(statement)
        .forEach(name -> {
          names.add(bare(name));
          addQualifier(name, qualifiers);
        });
    return names;
  }

  /**
   * Refuses values of rows of which a server takes whichever it finds first.
   *
   * @param pieces those of the whole statement, or of its query
   */
  void checkChosenRows(Engine engine, TableCatalog tables, List<SqlToken> pieces)
      throws RefusedStatementException {
    Set<String> named = NamedQueries.anywhere(pieces);
    if (statement instanceof Update update) {
      JoinedRows.check(update, engine, new RowSources(tables, named));
    }
    if (statement instanceof Delete && returnsJoined(pieces)) {
      throw new RefusedStatementException(
          "it may return values of any of several rows that it finds for one that it deletes",
          "return columns of its own table alone, with that table's name before each");
    }
    if (engine == Engine.MARIADB) {
      for (PlainSelect query : queries) {
        GroupedColumns.check(query, new RowSources(tables, named));
      }
      long groups = queries.stream().filter(query -> query.getGroupBy() != null).count();
      long selects = pieces.stream().filter(piece -> piece.is("SELECT")).count();
      if (groups < NamedQueries.groupings(pieces) || queries.size() < selects) {
        throw new RefusedStatementException(
            "what it groups by cannot be seen", "write it in a simpler way");
      }
    }
  }

  /** Whether a DELETE with USING returns more than columns that are said to be its own table's. */
  private boolean returnsJoined(List<SqlToken> pieces) {
    int using = -1;
    int returning = -1;
    for (int i = 1; i + 1 < pieces.size(); i++) {
      if (pieces.get(i).is("USING") && !pieces.get(i + 1).isSymbol("(")) {
        using = i;
      } else if (pieces.get(i).is("RETURNING")) {
        returning = i;
      }
    }
    if (using < 0 || returning < using) {
      return false;
    }
    String own = pieces.get(using - 1).name();
    for (int i = returning + 1; i < pieces.size(); i += 4) {
      boolean column =
          i + 2 < pieces.size()
              && pieces.get(i).name().equals(own)
              && pieces.get(i + 1).isSymbol(".")
              && pieces.get(i + 2).isName()
              && (i + 3 == pieces.size() || pieces.get(i + 3).isSymbol(","));
      if (!column) {
        return true;
      }
    }
    return false;
  }

  /** Refuses to give the one number that is found to all rows that are changed. */
  void checkNumbered(Engine engine, TableCatalog tables, List<SqlToken> pieces)
      throws RefusedStatementException {
    if (statement instanceof Update update
        && !JoinedRows.isOfOne(
            update, engine, new RowSources(tables, NamedQueries.anywhere(pieces)))) {
      throw new RefusedStatementException(
          "all rows that it changes would get one number of the sequence",
          "change one row by its whole primary key, or read the keys first and change row by row");
    }
  }

  /** Refuses a query that gives MariaDB NULL or 0 for a column that it numbers then. */
  void checkNumbers(
      InsertShape insert, TableShape table, TableCatalog tables, List<SqlToken> pieces)
      throws RefusedStatementException {
    Select source =
        switch (statement) {
          case Insert inserting -> inserting.getSelect();
          case Upsert replacing -> replacing.getSelect();
          default -> null;
        };
    for (int place = 0; place < insert.columns().size(); place++) {
      Optional<ColumnShape> column = table.column(insert.columns().get(place));
      if (column.filter(ColumnShape::isCounted).isPresent()) {
        new SelectedNumbers(
                column.get().name(),
                place,
                () -> new RowSources(tables, NamedQueries.anywhere(pieces)))
            .check(source);
      }
    }
  }

  private static void addQualifier(String qualified, Set<String> qualifiers) {
    int end = qualified.lastIndexOf('.');
    if (end > 0) {
      qualifiers.add(qualified.substring(0, end).replace("\"", "").replace("`", ""));
    }
  }

  private static String target(Statement statement) throws RefusedStatementException {
    return switch (statement) {
      case Insert insert -> bare(insert.getTable());
      case Upsert replace -> bare(replace.getTable());
      case Update update when isSimple(update) -> bare(update.getTable());
      case Update update ->
          throw new RefusedStatementException(
              "it may change several tables",
              "change one, the first that it names, with that table's name before each column");
      case Delete delete when delete.getTable() != null && isSimple(delete) ->
          bare(delete.getTable());
      case Select select -> "";
      default ->
          throw new RefusedStatementException(
              "a statement of its kind (%s) is not known"
                  .formatted(statement.getClass().getSimpleName()),
              "write it as INSERT, UPDATE or DELETE of one table");
    };
  }

  /**
   * Whether it has but one table before SET, or sets nothing but what is said to be its first's.
   */
  private static boolean isSimple(Update update) {
    if (update.getStartJoins() == null || update.getStartJoins().isEmpty()) {
      return true;
    }
    Alias alias = update.getTable().getAlias();
    String name = alias == null ? bare(update.getTable()) : bare(alias.getName().strip());
    return update.getUpdateSets().stream()
        .flatMap(set -> set.getColumns().stream())
        .allMatch(column -> column.getTable() != null && bare(column.getTable()).equals(name));
  }

  private static boolean isSimple(Delete delete) {
    return delete.getTables() == null || delete.getTables().isEmpty();
  }

  private static String bare(Table table) {
    return table.getUnquotedName().toLowerCase(Locale.ROOT);
  }

  private static String bare(String qualified) {
    String last = qualified.substring(qualified.lastIndexOf('.') + 1);
    return last.replace("\"", "").replace("`", "").toLowerCase(Locale.ROOT);
  }

  private static String firstLine(JSQLParserException failure) {
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
