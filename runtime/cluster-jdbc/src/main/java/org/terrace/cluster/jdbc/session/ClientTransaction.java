package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterEffect;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.jdbc.recovery.LoggedStatement;
import org.terrace.cluster.jdbc.recovery.TransactionRecordCodec;
import org.terrace.cluster.server.dialect.FetchPlace;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;

/**
 * A writing transaction of one client over real connections: it does what the core says, tells the
 * core what came of it, and waits for the core's answers. The client's methods are for one thread
 * at a time. Effects come in the core's steps, from any thread: they find what they need of the
 * client's in its question, and never see what the client does beside.
 */
final class ClientTransaction {
  private final DatabaseCluster cluster;
  private final long id;
  private final SessionFreshness seen;
  private final PendingAnswer<ClientQuestion, Integer> pending;
  private final TransactionBranches branches;
  private final LearnedTables tables;

  // The client's own.
  private final List<LoggedStatement> done = new ArrayList<>();
  private final HomeReads reads;
  private boolean changesSettings;
  private @Nullable WriteStep underWay;
  private volatile @Nullable CompletableFuture<Integer> leaving;
  private boolean defines;
  private int statements;
  private volatile boolean mayRemain;
  private volatile boolean commits;
  private boolean remains;

  // Of the core's steps alone.
  private boolean undone;
  private long record;

  ClientTransaction(
      DatabaseCluster cluster,
      long id,
      SessionFreshness seen,
      List<String> settings,
      int home,
      @Nullable Connection homeConnection) {
    this.cluster = cluster;
    this.id = id;
    this.seen = seen;
    this.pending = new PendingAnswer<>(cluster.steps(), ClientQuestion.none());
    this.tables = new LearnedTables(cluster);
    this.branches = new TransactionBranches(cluster, id, settings, pending, tables);
    this.reads = new HomeReads(cluster, this, seen, branches, home);
    if (homeConnection != null) {
      branches.begun(home, homeConnection);
    }
  }

  /** The branches of it at the replicas. */
  TransactionBranches branches() {
    return branches;
  }

  /** The reads of it where its client sees what it has done. */
  HomeReads reads() {
    return reads;
  }

  /** Does a statement at every replica and gives the result of one. */
  OpenResult write(
      StatementRequest request,
      boolean definition,
      List<LockDemand> demands,
      RunningStatements running)
      throws SQLException {
    boolean logged = cluster.recovery().keepsLog();
    if (logged) {
      TransactionRecordCodec.checkWritable(request);
    }
    if (definition && !defines) {
      defines = true;
      cluster.recovery().definitions().definitionBegins();
    }
    WriteStep next = new WriteStep(request, definition ? cluster.recovery().lease() : null);
    ReplicaResults<OpenResult> results = next.results();
    int chosen;
    underWay = next;
    try {
      boolean lasts = definition && cluster.dialect().definitionsCommit();
      mayRemain |= lasts;
      chosen = askForLocks(request.sql(), next, demands, definition, lasts, running);
    } finally {
      // Whoever leaves it is not through with that when this thread is told. What stays goes on.
      if (cluster.steps().between(() -> leaving != null) && !next.lasts()) {
        next.giveUp();
      }
    }
    remains |= next.lasts() && results.outcome(chosen).isDone();
    if (logged) {
      LoggedStatement known = new LoggedStatement(request, definition, results.outcome(chosen));
      boolean _ = cluster.steps().between(() -> isLogged(known));
    }
    OpenResult result = results.choose(chosen);
    branches.fetch(chosen, result);
    branches.others(chosen, (replica, branch) -> branch.submit(() -> results.discard(replica)));
    return result;
  }

  /** Whoever leaves meanwhile finds its outcome here, or does not know it. */
  private boolean isLogged(LoggedStatement known) {
    underWay = null;
    return done.add(known);
  }

  /** Changes a setting of the session, at every replica and for the rest of the transaction. */
  OpenResult set(StatementRequest setting, RunningStatements running) throws SQLException {
    changesSettings = true;
    return write(setting, false, List.of(), running);
  }

  /** Takes locks and does nothing else, for a statement of which those who wait are told. */
  void lock(String statement, List<LockDemand> demands, RunningStatements running)
      throws SQLException {
    askForLocks(statement, null, demands, false, false, running);
  }

  /**
   * Takes locks, and has this and all that follows answered by all replicas, whatever the strategy.
   */
  void lockAsBarrier(String statement, List<LockDemand> demands, RunningStatements running)
      throws SQLException {
    askForLocks(statement, null, demands, true, false, running);
  }

  /**
   * Waits for locks for as long as any may be waited for, and for what is done under them. What the
   * client reads next it reads where it was done: elsewhere, those before it may not be done yet.
   */
  private int askForLocks(
      String statement,
      @Nullable WriteStep step,
      List<LockDemand> demands,
      boolean barrier,
      boolean lasts,
      RunningStatements running)
      throws SQLException {
    checkNotLeft();
    int number = statements++;
    Runnable cancel = () -> cluster.post(new ClusterEvent.Cancelled(id, number));
    running.atCancel(cancel);
    CompletableFuture<Integer> answer =
        pending.ask(
            ClientQuestion.write(statement, step, changesSettings),
            new ClusterEvent.Write(id, demands, barrier, lasts));
    if (running.isCancelled()) {
      // Its time may be over before it waits for anything, as its values were found for so long.
      cancel.run();
    }
    try {
      int done = Answers.await(answer, cluster.configuration().lockWait(), this::giveUpWaiting);
      reads.readFrom(done);
      return done;
    } catch (SQLException e) {
      leaveIfInterrupted(e);
      throw e;
    }
  }

  void leaveIfInterrupted(SQLException failure) {
    if (FetchPlace.isInterruption(failure)) {
      leave();
    }
  }

  /**
   * Undoes the transaction at once, as its client waits no longer: nobody can tell what is done of
   * the statement by then, so that the log would lack it, and a server that gives it up differs
   * from one that has done it. What would stay goes on to its end, and to the log.
   */
  void leave() {
    boolean _ = cluster.steps().between(this::isLeft);
  }

  /** Whether it is left now or was before; one that is being committed is not. Of a step alone. */
  private boolean isLeft() {
    if (leaving == null && !commits) {
      tables.undo();
      leaving =
          pending.ask(pending.question().leave(done, underWay), new ClusterEvent.Rollback(id));
    }
    return leaving != null;
  }

  void checkNotLeft() throws SQLException {
    if (leaving != null) {
      throw TransactionFailure.before("roll back first.");
    }
  }

  /** Waits for locks no longer, if it does. */
  void giveUpWaiting() {
    cluster.post(new ClusterEvent.WaitedTooLong(id));
  }

  /** Lets its client wait for nothing any more, as the cluster is closed. */
  void clusterCloses() {
    pending.end(noAnswer("The cluster was closed meanwhile.", null));
  }

  /** Lets its client wait no longer for an answer that cannot be given. */
  void unanswered(Throwable cause) {
    pending.failed(noAnswer("The cluster itself failed to answer: roll back.", cause));
  }

  private SQLException noAnswer(String reason, @Nullable Throwable cause) {
    String state = commits ? SqlStates.OUTCOME_UNKNOWN : SqlStates.CONNECTION_FAILURE;
    return new SQLException(reason, state, cause);
  }

  /** The servers are to end the statement that they are at. */
  void giveUp() {
    WriteStep step = pending.question().step();
    if (step != null) {
      step.giveUp();
    }
  }

  /** Nothing more is said of it, whoever asks. */
  void forgotten() {
    pending.end(new SQLException("The transaction is over.", SqlStates.CLOSED));
    if (defines) {
      cluster.recovery().definitions().definitionEnded();
    }
  }

  /** The thread that last wrote. */
  Thread client() {
    return pending.question().client();
  }

  /** The statement that it executed last, or waits for. */
  String latest() {
    return pending.question().statement();
  }

  /**
   * Commits.
   *
   * @param kept a result that its client still reads from, which keeps its connection; null: none
   */
  void commit(@Nullable OpenResult kept) throws SQLException {
    OpenResult keeps = kept != null && kept.isWorthKeeping() ? kept : null;
    Optional<CompletableFuture<Integer>> asked = cluster.steps().between(() -> askToCommit(keeps));
    if (asked.isEmpty()) {
      rollback();
      throw TransactionFailure.before("it was rolled back.");
    }
    CompletableFuture<Integer> answer = asked.get();
    try {
      int replica = Answers.await(answer);
      if (replica < 0) {
        throw Answers.unknown("All replicas were lost", null);
      }
      seen.committed(cluster.steps().between(() -> record), replica);
    } catch (SQLException e) {
      if (keeps != null) {
        // Its client never gets it, and so would never give its connection back.
        keeps.abandon();
      }
      throw e.getCause() instanceof InterruptedException
          ? Answers.unknown("The client was interrupted", e)
          : e;
    }
  }

  /** Asks for the commit, unless it has been left. Of a step alone. */
  private Optional<CompletableFuture<Integer>> askToCommit(@Nullable OpenResult keeps) {
    if (leaving != null) {
      return Optional.empty();
    }
    commits = true;
    return Optional.of(
        pending.ask(
            pending.question().commit(done, keeps, reads.home()),
            new ClusterEvent.Commit(id, seen.token().decided())));
  }

  /**
   * Lets statements be judged by the tables as this transaction has changed them, at whichever
   * replica: a definition is answered when all have done it. One that can be undone is refused if
   * it left a table that nothing can be written to.
   *
   * @param definition the statement that changed them; empty: they are as they were before one
   */
  void learnTables(String definition) throws SQLException {
    tables.changed(reads.readAnywhere(connection -> tables.read(connection, definition)));
  }

  void rollback() throws SQLException {
    if (remains && !canOnlyRollBack()) {
      // It is done and stays: the others are to get it from the log.
      commit(null);
      return;
    }
    leave();
    CompletableFuture<Integer> left = leaving;
    if (left != null) {
      Answers.await(left);
    }
  }

  void answered(ClusterEffect.AnswerDone answer) {
    record = answer.record();
    pending.answered(answer.replica());
  }

  /** Whether the cluster has undone it of its own accord, or its client left a statement alone. */
  boolean canOnlyRollBack() {
    return leaving != null || cluster.steps().between(() -> undone);
  }

  private String whatIsLeft(String sqlState) {
    if (sqlState.equals(SqlStates.OUTCOME_UNKNOWN)) {
      return "The transaction is undone, or will be done when the cluster is opened next: ";
    }
    return mayRemain
        ? "The cluster undid the transaction, whose definition may remain: "
        : "The cluster undid the transaction: ";
  }

  void aborted(ClusterEffect.AnswerAborted aborted) {
    undone = true;
    tables.undo();
    String what = whatIsLeft(aborted.sqlState());
    pending.failed(new SQLException(what + aborted.reason() + ".", aborted.sqlState()));
  }

  void waited(ClusterEffect.AnswerWaited waited) {
    undone = true;
    tables.undo();
    pending.failed(WaitedInVain.failure(cluster, waited, this));
  }
}
