package org.terrace.cluster.jdbc.session;

import java.util.List;
import java.util.stream.Stream;
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
 * @param left whether its client has left the transaction within the step, or behind it
 */
record ClientQuestion(
    Thread client,
    String statement,
    @Nullable WriteStep step,
    boolean changesSettings,
    List<LoggedStatement> done,
    @Nullable OpenResult kept,
    int keptAt,
    boolean left) {
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
        Thread.currentThread(), statement, step, changesSettings, List.of(), null, NOWHERE, false);
  }

  /** The commit after this. */
  ClientQuestion commit(List<LoggedStatement> all, @Nullable OpenResult keeps, int home) {
    return new ClientQuestion(client, statement, null, changesSettings, all, keeps, home, false);
  }

  /**
   * The end after this, as its client leaves, with what the log needs if something stays.
   *
   * @param before all statements before the one whose outcome the client does not know
   * @param unknown that one; null: there is none
   */
  ClientQuestion leave(List<LoggedStatement> before, @Nullable WriteStep unknown) {
    return new ClientQuestion(
        client, statement, unknown, changesSettings, before, null, NOWHERE, true);
  }

  /**
   * All that is to be logged, when it has been decided what came of it.
   *
   * @param active the replicas that have it, those first that have been active for longest
   */
  List<LoggedStatement> logged(List<Integer> active) {
    return step == null
        ? done
        : Stream.concat(done.stream(), Stream.of(step.logged(active))).toList();
  }
}
