package org.terrace.cluster.sql;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;

/**
 * The search of an expression for columns. The parser's own visitor passes by some that stand
 * within words of a function's; a name that is a column's and was not come by counts as one.
 */
abstract class ColumnSearch extends ExpressionVisitorAdapter<Void> {
  private final Set<String> seen = new HashSet<>();
  private String found = "";

  /** Whether a column is what is searched for. */
  abstract boolean isFound(Column column);

  /** Whether nothing within a function is searched for. */
  boolean isPassedBy(Function function) {
    return false;
  }

  /** Searches an expression; gives what was found, in words, or an empty text. */
  final String in(Expression expression, Engine engine, RowSources sources)
      throws RefusedStatementException {
    expression.accept(this, null);
    for (SqlToken token : SqlScanner.scan(expression.toString(), engine)) {
      if (token.isName() && sources.hasColumn(token.name()) && !seen.contains(token.name())) {
        found(token.text());
      }
    }
    return found;
  }

  private ExpressionVisitorAdapter<Void> noting() {
    return new ExpressionVisitorAdapter<>() {
      @Override
      public <S> Void visit(Column column, S context) {
        note(column);
        return null;
      }
    };
  }

  private void found(String what) {
    found = found.isEmpty() ? what : found;
  }

  private void note(Column column) {
    seen.add(RowSources.nameOf(column));
    seen.add(RowSources.qualifier(column));
  }

  @Override
  public <S> Void visit(Column column, S context) {
    note(column);
    if (isFound(column)) {
      found(column.toString());
    }
    return null;
  }

  @Override
  public <S> Void visit(Function function, S context) {
    seen.add(function.getName().toLowerCase(Locale.ROOT));
    if (isPassedBy(function)) {
      if (function.getParameters() != null) {
        function.getParameters().forEach(argument -> argument.accept(noting(), null));
      }
      return null;
    }
    if (function.getNamedParameters() != null) {
      function.getNamedParameters().forEach(argument -> argument.accept(this, context));
    }
    return super.visit(function, context);
  }

  @Override
  public <S> Void visit(TrimFunction function, S context) {
    if (function.getExpression() != null) {
      function.getExpression().accept(this, context);
    }
    if (function.getFromExpression() != null) {
      function.getFromExpression().accept(this, context);
    }
    return null;
  }

  @Override
  public <S> Void visit(ParenthesedSelect select, S context) {
    found("what a query within it gives");
    return null;
  }

  @Override
  public <S> Void visit(Select select, S context) {
    found("what a query within it gives");
    return null;
  }

  @Override
  public <S> Void visit(AllColumns columns, S context) {
    found("all columns");
    return null;
  }

  @Override
  public <S> Void visit(AllTableColumns columns, S context) {
    found("all columns");
    return null;
  }
}
