package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.statement.select.Join;
import org.jspecify.annotations.Nullable;

/** The conditions all of which a row must meet. Stateless. */
final class RowConditions {
  private RowConditions() {}

  /** Those that a condition joins by AND; null: there is none. */
  static List<Expression> of(@Nullable Expression condition) {
    List<Expression> all = new ArrayList<>();
    collect(condition, all);
    return all;
  }

  /** Those of joins; null: there are none. */
  static List<Expression> of(@Nullable List<Join> joins) {
    List<Expression> all = new ArrayList<>();
    if (joins != null) {
      joins.forEach(join -> join.getOnExpressions().forEach(on -> collect(on, all)));
    }
    return all;
  }

  /** An expression without the parentheses around it. */
  static Expression bare(Expression expression) {
    Expression bare = expression;
    while (bare instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      bare = list.getFirst();
    }
    return bare;
  }

  private static void collect(@Nullable Expression condition, List<Expression> all) {
    if (condition == null) {
      return;
    }
    Expression bare = bare(condition);
    if (bare instanceof AndExpression and) {
      collect(and.getLeftExpression(), all);
      collect(and.getRightExpression(), all);
    } else {
      all.add(bare);
    }
  }
}
