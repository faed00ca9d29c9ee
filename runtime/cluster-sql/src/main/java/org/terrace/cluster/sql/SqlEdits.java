package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;

/** Changes to a statement's text, some of which put a parameter in. */
final class SqlEdits {
  private record Edit(int start, int end, String text, @Nullable Evaluation value, int order) {}

  private final List<Edit> edits = new ArrayList<>();

  /** Replaces a range by text without parameters. */
  void replace(int start, int end, String text) {
    edits.add(new Edit(start, end, text, null, edits.size()));
  }

  /** Replaces a range by text with one parameter, whose value is to be found once. */
  void evaluate(
      int start, int end, String text, @Nullable String expression, @Nullable String sequence) {
    edits.add(new Edit(start, end, text, new Evaluation(0, expression, sequence), edits.size()));
  }

  /** The same, with a value of its own. */
  void evaluateAnew(int start, int end, String text, String expression) {
    edits.add(new Edit(start, end, text, Evaluation.anew(0, expression), edits.size()));
  }

  /** Replaces a client's parameter by the next number where it is null or zero. */
  void number(SqlToken parameter, String sequence) {
    edits.add(
        new Edit(
            parameter.start(),
            parameter.end(),
            "?",
            new Evaluation(0, null, sequence, true, false),
            edits.size()));
  }

  boolean isEmpty() {
    return edits.isEmpty();
  }

  /** The changed text, with the evaluations in the order of their places. */
  String apply(String sql, List<SqlToken> tokens, List<Evaluation> evaluations) {
    edits.sort(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::order));
    StringBuilder changed = new StringBuilder();
    int from = 0;
    int parameters = 0;
    int token = 0;
    for (Edit edit : edits) {
      while (token < tokens.size() && tokens.get(token).start() < edit.start()) {
        parameters += isOwn(tokens.get(token)) ? 1 : 0;
        token++;
      }
      changed.append(sql, from, edit.start()).append(edit.text());
      from = edit.end();
      while (token < tokens.size() && tokens.get(token).start() < edit.end()) {
        token++;
      }
      if (edit.value() != null) {
        parameters++;
        evaluations.add(edit.value().at(parameters));
      }
    }
    return changed.append(sql, from, sql.length()).toString();
  }

  private static boolean isOwn(SqlToken token) {
    return token.kind() == SqlToken.Kind.PARAMETER;
  }
}
