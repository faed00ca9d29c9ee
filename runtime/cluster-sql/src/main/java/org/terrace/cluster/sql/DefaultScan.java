package org.terrace.cluster.sql;

import java.util.List;
import org.terrace.cluster.sql.ColumnShape.Filling;

/** The judge of a column's default. */
final class DefaultScan {
  private DefaultScan() {}

  /** Whether what fills a column, or is called, is another value at each call. */
  static boolean isAnew(String text, Engine engine) throws RefusedStatementException {
    List<SqlToken> tokens = SqlScanner.scan(text, engine);
    for (int i = 0; i < tokens.size(); i++) {
      boolean anew =
          tokens.get(i).isName()
              && FunctionCatalog.findAt(engine, tokens, i)
                  .filter(known -> known.nature() == FunctionCatalog.Nature.EACH_TIME)
                  .isPresent();
      if (anew) {
        return true;
      }
    }
    return false;
  }

  static Filling filling(String text, Engine engine) throws RefusedStatementException {
    List<SqlToken> tokens = SqlScanner.scan(text, engine);
    Filling filling = Filling.SAME;
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (isMoment(token, engine)) {
        filling = Filling.EVALUATED;
      }
      if (engine == Engine.POSTGRESQL && isNumbered(tokens, i)) {
        return Filling.UNKNOWN;
      }
      boolean bare = token.isName() && FunctionCatalog.isCalledBare(token.name());
      boolean call =
          token.isName()
              && i + 1 < tokens.size()
              && tokens.get(i + 1).isSymbol("(")
              && (i == 0 || !tokens.get(i - 1).isSymbol("::"));
      if (!bare && !call) {
        continue;
      }
      var known = FunctionCatalog.findAt(engine, tokens, i);
      if (known.isEmpty() || CallScan.isQualified(engine, tokens, i)) {
        return Filling.UNKNOWN;
      }
      switch (known.get().nature()) {
        case PURE -> {}
        case ONCE, EACH_TIME -> filling = Filling.EVALUATED;
        case ORDER, SERVER, SEQUENCE, SESSION, NAMED_LOCK -> {
          return Filling.UNKNOWN;
        }
      }
    }
    return filling;
  }

  /**
   * Whether a type stands at a piece whose values are numbers that each server has given what is
   * called so, but for the name of a sequence.
   */
  static boolean isNumbered(List<SqlToken> tokens, int i) {
    boolean sequence = i >= 4 && tokens.get(i - 3).isSymbol("(") && tokens.get(i - 4).is("NEXTVAL");
    return i > 0
        && (tokens.get(i - 1).isSymbol("::") || tokens.get(i - 1).is("AS"))
        && tokens.get(i).isName()
        && InvolvedColumns.isNumberOfTheCatalogue(tokens.get(i).name())
        && !sequence;
  }

  /** Whether it is a text that PostgreSQL reads as a moment each time that it fills a column. */
  private static boolean isMoment(SqlToken token, Engine engine) {
    return engine == Engine.POSTGRESQL
        && token.kind() == SqlToken.Kind.STRING
        && MomentText.is(MomentText.of(token));
  }
}
