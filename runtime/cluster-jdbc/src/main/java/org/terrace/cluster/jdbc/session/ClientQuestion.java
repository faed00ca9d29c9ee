package org.terrace.cluster.jdbc.session;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.recovery.LoggedStatement;
import org.terrace.cluster.server.dialect.OpenResult;

/**
 * The next step that a client wants of its transaction, with all that the effects of it need.
 *
 * @param client the thread that wants it
 * @param statement the text that it executes, or executed last
 * @param step the statement at all replicas; null: locks are taken, or the transaction ends
 * @param changesSettings whether this or an earlier statement changes settings of the session
 * @param done all statements, for the log, once they are to be committed
 * @param kept a result that its client still reads from after the commit; null: none
 * @param keptAt the replica whose result that is
 */
record ClientQuestion(
    Thread client,
    String statement,
    @Nullable WriteStep step,
    boolean changesSettings,
    List<LoggedStatement> done,
    @Nullable OpenResult kept,
    int keptAt) {
  private static final int NOWHERE = -1;

  ClientQuestion {
    done = List.copyOf(done);
  }

  /** A transaction of which nothing was wanted yet. */
  static ClientQuestion none() {
    return write("", null, false);
  }

  /** A statement, or locks for one. */
  static ClientQuestion write(String statement, @Nullable WriteStep step, boolean changesSettings) {
    return new ClientQuestion(
        Thread.currentThread(), statement, step, changesSettings, List.of(), null, NOWHERE);
  }

  /** The commit after this. */
  ClientQuestion commit(List<LoggedStatement> all, @Nullable OpenResult keeps, int home) {
    return new ClientQuestion(client, statement, null, changesSettings, all, keeps, home);
  }
}
