package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clock of MariaDB's servers, which shows all of them one moment for as long as a write takes.
 *
 * <p>A moment that is given to a TIMESTAMP as a text goes through local time, of which an hour
 * comes twice in autumn. The servers' own functions do not, so that a write of tables with such
 * columns keeps them. Confined to one thread.
 */
final class MomentClock {
  /** The variable is a number, which a parameter with a text in it is not. */
  private static final String STATEMENT = "SET STATEMENT timestamp = 0 + ? FOR ";

  /** The moment at which the statement that asks for it began, in seconds since 1970. */
  private static final String MOMENT = "@@timestamp";

  /** The function that gives the moment which a clock shows; SYSDATE gives the true one. */
  private static final String NOW = "NOW";

  private final boolean keepsCalls;
  private boolean shown;

  private MomentClock(boolean keepsCalls, boolean shown) {
    this.keepsCalls = keepsCalls;
    this.shown = shown;
  }

  /** A clock that shows nothing: texts say the moment. */
  static MomentClock none() {
    return new MomentClock(false, false);
  }

  /** The clock for a write, by the columns that it involves; only MariaDB's is ever shown. */
  static MomentClock of(
      Engine engine, InvolvedColumns involved, @Nullable InsertShape insert, boolean adds) {
    if (engine != Engine.MARIADB) {
      return none();
    }
    boolean asked = involved.takesMoment(insert, adds);
    return new MomentClock(asked || involved.hasTimestamps(), asked);
  }

  /** Shows the moment to a call or a default, if it is to: that need not be replaced then. */
  boolean shows() {
    shown |= keepsCalls;
    return keepsCalls;
  }

  /** Replaces a call that looks past what is shown, if anything is to be; tells whether it did. */
  boolean replaces(SqlToken name, SqlEdits edits) {
    boolean replaced = isSysdate(name) && shows();
    if (replaced) {
      edits.replace(name.start(), name.end(), NOW);
    }
    return replaced;
  }

  /** Whether a name is that of the function that looks past what is shown. */
  private static boolean isSysdate(SqlToken name) {
    return name.is("SYSDATE");
  }

  /** A default with the moment that is shown where it has the true one. */
  static String shown(String expression) throws RefusedStatementException {
    SqlEdits edits = new SqlEdits();
    List<SqlToken> tokens = SqlScanner.scan(expression, Engine.MARIADB);
    for (SqlToken token : tokens) {
      if (isSysdate(token)) {
        edits.replace(token.start(), token.end(), NOW);
      }
    }
    return edits.apply(expression, tokens, new ArrayList<>());
  }

  /** Puts the moment before the statement, if anything asked for it. */
  void apply(List<SqlToken> tokens, SqlEdits edits) {
    if (shown) {
      int start = tokens.getFirst().start();
      edits.evaluate(start, start, STATEMENT, MOMENT, null);
    }
  }
}
