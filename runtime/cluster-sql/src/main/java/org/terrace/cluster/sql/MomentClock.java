package org.terrace.cluster.sql;

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

  /** Puts the moment before the statement, if anything asked for it. */
  void apply(List<SqlToken> tokens, SqlEdits edits) {
    if (shown) {
      int start = tokens.getFirst().start();
      edits.evaluate(start, start, STATEMENT, MOMENT, null);
    }
  }
}
