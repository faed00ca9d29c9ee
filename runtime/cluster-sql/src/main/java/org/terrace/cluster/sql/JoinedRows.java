package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;

/**
 * The rows of other sources that an UPDATE joins to those that it changes. Where several may be
 * found for one, a server takes whichever it finds first; there is but one where the other table's
 * whole primary key equals what is told by the changed row.
 */
final class JoinedRows {
  private static final Set<String> INTEGERS =
      Set.of("tinyint", "smallint", "mediumint", "int", "integer", "bigint");
  private static final Set<String> TEXTS =
      Set.of(
          "char", "varchar", "text", "tinytext", "mediumtext", "longtext", "enum", "set", "binary");

  private final Update update;
  private final Engine engine;
  private final RowSources sources;
  private final List<Expression> conditions = new ArrayList<>();
  private final Set<String> single = new LinkedHashSet<>();

  private JoinedRows(Update update, Engine engine, RowSources sources) {
    this.update = update;
    this.engine = engine;
    this.sources = sources;
    sources.add(update.getTable());
    single.addAll(sources.names());
    sources.add(update.getStartJoins());
    sources.add(update.getFromItem());
    sources.add(update.getJoins());
    conditions.addAll(RowConditions.of(update.getWhere()));
    conditions.addAll(RowConditions.of(update.getStartJoins()));
    conditions.addAll(RowConditions.of(update.getJoins()));
  }

  /** Refuses a change that takes values of a row which may be one of several. */
  static void check(Update update, Engine engine, RowSources none)
      throws RefusedStatementException {
    new JoinedRows(update, engine, none).check();
  }

  /** Whether a change of one table is of one row at most, as its whole primary key is given. */
  static boolean isOfOne(Update update, Engine engine, RowSources none) {
    JoinedRows rows = new JoinedRows(update, engine, none);
    rows.single.clear();
    Set<String> names = rows.sources.names();
    return names.size() == 1 && rows.isTold(names.iterator().next());
  }

  private void check() throws RefusedStatementException {
    while (findsAnother()) {
      // One that is told by another that is told is told as well.
    }
    Optional<String> several =
        sources.names().stream().filter(name -> !single.contains(name)).findFirst();
    if (several.isPresent() && (update.getReturningClause() != null || takesOfSeveral())) {
      throw new RefusedStatementException(
          "several rows of %s may be found for one that it changes, and each replica would take whichever it finds first"
              .formatted(several.get().isBlank() ? "a query" : several.get()),
          "compare the whole primary key of a table with columns of the changed row, with their names before them, or write SET column = (SELECT ...), which fails if there are several");
    }
  }

  private boolean findsAnother() {
    for (String name : sources.names()) {
      if (!single.contains(name) && isTold(name)) {
        return single.add(name);
      }
    }
    return false;
  }

  /** Whether a source is a table whose whole primary key equals what is told already. */
  private boolean isTold(String name) {
    return sources
        .table(name)
        .filter(table -> !table.key().isEmpty())
        .filter(table -> table.key().stream().allMatch(key -> isTold(name, table, key)))
        .isPresent();
  }

  private boolean isTold(String name, TableShape table, String key) {
    Optional<ColumnShape> column = table.column(key);
    return column.isPresent()
        && conditions.stream()
            .anyMatch(condition ->
                condition instanceof EqualsTo equal
                    && (isTold(
                            equal.getLeftExpression(),
                            equal.getRightExpression(),
                            name,
                            column.get())
                        || isTold(
                            equal.getRightExpression(),
                            equal.getLeftExpression(),
                            name,
                            column.get())));
  }

  private boolean isTold(Expression key, Expression value, String name, ColumnShape shape) {
    if (!(RowConditions.bare(key) instanceof Column column)
        || !RowSources.nameOf(column).equals(shape.name())
        || !sources.sourceOf(column).filter(name::equals).isPresent()) {
      return false;
    }
    // MariaDB compares a text with a number by what the text begins with.
    boolean text = engine == Engine.MARIADB && TEXTS.contains(family(shape));
    return switch (RowConditions.bare(value)) {
      case StringValue _ -> true;
      case LongValue _ -> !text;
      case JdbcParameter _ -> !text;
      case Column other ->
          sources
              .sourceOf(other)
              .filter(single::contains)
              .flatMap(sources::table)
              .flatMap(table -> table.column(RowSources.nameOf(other)))
              .filter(type -> areAlike(type, shape))
              .isPresent();
      default -> false;
    };
  }

  private static boolean areAlike(ColumnShape one, ColumnShape other) {
    return one.type().equalsIgnoreCase(other.type())
        || (INTEGERS.contains(family(one)) && INTEGERS.contains(family(other)));
  }

  private static String family(ColumnShape column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    int end = 0;
    while (end < type.length() && Character.isLetter(type.charAt(end))) {
      end++;
    }
    return type.substring(0, end);
  }

  private boolean takesOfSeveral() throws RefusedStatementException {
    for (UpdateSet set : update.getUpdateSets()) {
      for (Expression value : set.getValues()) {
        if (!new SeveralSearch().in(value, engine, sources).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /** The search of a value for what may be of one of several rows. */
  private final class SeveralSearch extends ColumnSearch {
    /** One that is the changed table's is no other's, or the server cannot tell either. */
    @Override
    boolean isFound(Column column) {
      String qualifier = RowSources.qualifier(column);
      boolean ofChanged =
          qualifier.isEmpty()
              && sources
                  .table(sources.names().iterator().next())
                  .flatMap(table -> table.column(RowSources.nameOf(column)))
                  .isPresent();
      return !ofChanged && !single.contains(qualifier);
    }
  }
}
