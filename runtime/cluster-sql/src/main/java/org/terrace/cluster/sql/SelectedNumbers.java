package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperationList;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a query gives to a table of MariaDB that numbers its rows itself where it gets
 * NULL or 0. A query gives neither if it says so: by a condition that each number is 1 or more.
 */
final class SelectedNumbers {
  private final String column;
  private final int place;
  private final Supplier<RowSources> none;

  /**
   * The numbers of a column.
   *
   * @param place the number of columns before it
   * @param none makes sources of which there are none
   */
  SelectedNumbers(String column, int place, Supplier<RowSources> none) {
    this.column = column;
    this.place = place;
    this.none = none;
  }

  /** Refuses a query that may give NULL or 0; null: it cannot be seen. */
  void check(@Nullable Select query) throws RefusedStatementException {
    switch (query) {
      case PlainSelect plain -> checkPlain(plain);
      case ParenthesedSelect inner -> check(inner.getSelect());
      case SetOperationList list -> {
        for (Select one : list.getSelects()) {
          check(one);
        }
      }
      case null, default -> throw refused("what it gives");
    }
  }

  private void checkPlain(PlainSelect query) throws RefusedStatementException {
    Optional<Expression> value = value(query);
    boolean rollup = query.getGroupBy() != null && query.getGroupBy().isMysqlWithRollup();
    if (value.isEmpty() || rollup) {
      throw refused(column);
    }
    boolean plain =
        value.get() instanceof LongValue number && number.getBigIntegerValue().signum() != 0;
    List<Expression> conditions = new ArrayList<>(RowConditions.of(query.getWhere()));
    conditions.addAll(RowConditions.of(query.getHaving()));
    if (!plain && conditions.stream().noneMatch(one -> excludesNone(one, value.get()))) {
      throw refused(value.get().toString());
    }
  }

  /** The value for the column, if it can be seen. */
  private Optional<Expression> value(PlainSelect query) {
    RowSources sources = none.get();
    sources.add(query.getFromItem());
    sources.add(query.getJoins());
    int before = 0;
    for (SelectItem<?> item : query.getSelectItems()) {
      Optional<TableShape> all =
          switch (item.getExpression()) {
            case AllTableColumns of -> sources.table(RowSources.unquoted(of.getTable().getName()));
            case AllColumns _ -> sources.onlyTable();
            default -> Optional.empty();
          };
      boolean star = item.getExpression() instanceof AllColumns;
      if (star && all.isEmpty()) {
        return Optional.empty();
      }
      int width = all.map(table -> table.columns().size()).orElse(1);
      if (place < before + width) {
        int index = place - before;
        return Optional.of(
            all.<Expression>map(table -> new Column(table.columns().get(index).name()))
                .orElse(item.getExpression()));
      }
      before += width;
    }
    return Optional.empty();
  }

  /** Whether a condition leaves no row for which a value is NULL, or rounds to 0. */
  private static boolean excludesNone(Expression condition, Expression value) {
    return switch (condition) {
      case GreaterThanEquals least ->
          isOver(least.getLeftExpression(), value, least.getRightExpression());
      case GreaterThan over -> isOver(over.getLeftExpression(), value, over.getRightExpression());
      case EqualsTo equal -> isOver(equal.getLeftExpression(), value, equal.getRightExpression());
      default -> false;
    };
  }

  private static boolean isOver(Expression left, Expression value, Expression right) {
    return RowConditions.bare(left).toString().equalsIgnoreCase(value.toString())
        && RowConditions.bare(right) instanceof LongValue number
        && number.getBigIntegerValue().signum() > 0;
  }

  private RefusedStatementException refused(String value) {
    return new RefusedStatementException(
        "%s may be NULL or 0, and each replica would number such a row by itself".formatted(value),
        "add the condition that it is >= 1, or read the rows first and insert them with VALUES");
  }
}
