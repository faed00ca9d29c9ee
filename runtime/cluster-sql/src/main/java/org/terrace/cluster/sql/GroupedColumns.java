package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;

/**
 * The columns of a query of MariaDB that makes one row of several, of which that server takes any
 * row's value where the query groups by another. A column is the same for a whole group if it is
 * grouped by, or its table's primary key is, or if it is the outer query's.
 */
final class GroupedColumns {
  private static final Set<String> AGGREGATES =
      Set.of(
          ("count min max sum avg bit_and bit_or bit_xor std stddev stddev_pop stddev_samp var_pop"
                  + " var_samp variance group_concat json_arrayagg json_objectagg")
              .split(" "));

  private final PlainSelect query;
  private final RowSources sources;
  private final List<Expression> groups = new ArrayList<>();

  private GroupedColumns(PlainSelect query, RowSources sources) {
    this.query = query;
    this.sources = sources;
    sources.add(query.getFromItem());
    sources.add(query.getJoins());
    if (query.getGroupBy() != null) {
      for (Expression group : query.getGroupBy().getGroupByExpressionList()) {
        groups.add(meant(RowConditions.bare(group)));
      }
    }
  }

  /** Refuses a query that takes values of any row of several. */
  static void check(PlainSelect query, RowSources none) throws RefusedStatementException {
    GroupedColumns grouped = new GroupedColumns(query, none);
    if (query.getGroupBy() != null || grouped.hasAggregate()) {
      grouped.check();
    }
  }

  /** The column of a place that is grouped by, or what an alias stands for. */
  private Expression meant(Expression group) {
    if (group instanceof LongValue place) {
      int index = (int) place.getValue() - 1;
      return index >= 0 && index < query.getSelectItems().size()
          ? query.getSelectItems().get(index).getExpression()
          : group;
    }
    if (group instanceof Column column && isNoColumn(column)) {
      return aliased(column).orElse(group);
    }
    return group;
  }

  private boolean isNoColumn(Column column) {
    return RowSources.qualifier(column).isEmpty()
        && sources.areAllTables()
        && !sources.hasColumn(RowSources.nameOf(column));
  }

  /** The expression that an alias of the query stands for. */
  private Optional<Expression> aliased(Column column) {
    return query.getSelectItems().stream()
        .filter(item -> item.getAlias() != null)
        .filter(item ->
            RowSources.unquoted(item.getAlias().getName()).equals(RowSources.nameOf(column)))
        .findFirst()
        .map(SelectItem::getExpression);
  }

  private boolean hasAggregate() {
    AggregateFinder finder = new AggregateFinder();
    query.getSelectItems().forEach(item -> item.getExpression().accept(finder, null));
    if (query.getHaving() != null) {
      query.getHaving().accept(finder, null);
    }
    return finder.found;
  }

  private void check() throws RefusedStatementException {
    for (SelectItem<?> item : query.getSelectItems()) {
      check(item.getExpression(), false);
    }
    if (query.getHaving() != null) {
      check(query.getHaving(), true);
    }
  }

  private void check(Expression value, boolean having) throws RefusedStatementException {
    if (groups.stream().anyMatch(group -> isSame(group, value))) {
      return;
    }
    String found = new AnyRowSearch(having).in(value, Engine.MARIADB, sources);
    if (!found.isEmpty()) {
      throw new RefusedStatementException(
          "it takes %s of any of the rows that become one, and each replica would take whichever it finds first"
              .formatted(found),
          "group by it too, or by the whole primary key of its table, or take MIN or MAX of it");
    }
  }

  private static boolean isSame(Expression one, Expression other) {
    return one.toString().equalsIgnoreCase(other.toString());
  }

  /** Whether a column is the same for all rows of a group. */
  private boolean isOfGroup(Column column) {
    Optional<String> source = sources.sourceOf(column);
    if (source.isEmpty()) {
      return !RowSources.qualifier(column).isEmpty() || isNoColumn(column);
    }
    return isGroupedBy(source.get(), RowSources.nameOf(column))
        || sources
            .table(source.get())
            .filter(table -> !table.key().isEmpty())
            .filter(table -> table.key().stream().allMatch(key -> isGroupedBy(source.get(), key)))
            .isPresent();
  }

  private boolean isGroupedBy(String source, String name) {
    return groups.stream()
        .anyMatch(group ->
            group instanceof Column column
                && RowSources.nameOf(column).equals(name)
                && sources.sourceOf(column).filter(source::equals).isPresent());
  }

  private static boolean isAggregate(Function function) {
    return AGGREGATES.contains(function.getName().toLowerCase(Locale.ROOT));
  }

  /** The search for a function of many rows. */
  private static final class AggregateFinder extends ExpressionVisitorAdapter<Void> {
    private boolean found;

    @Override
    public <S> Void visit(Function function, S context) {
      found |= isAggregate(function);
      return super.visit(function, context);
    }
  }

  /** The search for what may be of any row of a group. */
  private final class AnyRowSearch extends ColumnSearch {
    private final boolean having;

    AnyRowSearch(boolean having) {
      this.having = having;
    }

    @Override
    boolean isPassedBy(Function function) {
      return isAggregate(function);
    }

    @Override
    boolean isFound(Column column) {
      boolean alias = having && isNoColumn(column) && aliased(column).isPresent();
      return !alias && !isOfGroup(column);
    }
  }
}
