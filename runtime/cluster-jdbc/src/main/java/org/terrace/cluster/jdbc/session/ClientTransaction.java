package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterEffect;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.lease.FencedException;
import org.terrace.cluster.jdbc.recovery.LoggedStatement;
import org.terrace.cluster.jdbc.recovery.TransactionRecord;
import org.terrace.cluster.jdbc.recovery.TransactionRecordCodec;
import org.terrace.cluster.jdbc.replica.FailureKind;
import org.terrace.cluster.jdbc.statement.OpenResult;
import org.terrace.cluster.jdbc.statement.RunningStatements;
import org.terrace.cluster.jdbc.statement.StatementRequest;

/**
 * A writing transaction of one client over real connections: it does what the core says, tells the
 * core what came of it, and waits for the core's answers. The client's methods are for one thread
 * at a time. Effects come in the core's steps, from any thread: they find what they need of the
 * client's in its question, and never see what the client does beside.
 */
final class ClientTransaction {
  private final DatabaseCluster cluster;
  private final long id;
  private final List<String> settings;
  private final Map<Integer, ReplicaBranch> branches = new ConcurrentHashMap<>();
  private final PendingAnswer<ClientQuestion, Integer> pending;

  // The client's own.
  private final List<LoggedStatement> done = new ArrayList<>();
  private int home;
  private boolean changesSettings;
  private boolean leftUnanswered;

  // Of the core's steps alone.
  private boolean undone;
  private long position;

  ClientTransaction(
      DatabaseCluster cluster,
      long id,
      List<String> settings,
      int home,
      @Nullable Connection homeConnection) {
    this.cluster = cluster;
    this.id = id;
    this.settings = List.copyOf(settings);
    this.home = home;
    this.pending = new PendingAnswer<>(cluster.steps(), ClientQuestion.none());
    if (homeConnection != null) {
      branches.put(home, newBranch(home, homeConnection));
    }
  }

  /** Does a statement at every replica and gives the result of one. */
  OpenResult write(
      StatementRequest request,
      boolean definition,
      List<LockDemand> demands,
      RunningStatements running)
      throws SQLException {
    boolean logged = cluster.recovery().keepsLog();
    if (logged && !TransactionRecordCodec.isWritable(request)) {
      throw new SQLException(
          "A parameter is of a type that the recovery log cannot keep: give it as one of JDBC's own types, such as a text with its type.",
          SqlStates.BAD_PARAMETER);
    }
    WriteStep next = new WriteStep(request, running);
    ReplicaResults<OpenResult> results = next.results();
    int chosen = askForLocks(request.sql(), next, demands);
    home = chosen;
    if (logged) {
      done.add(new LoggedStatement(request, definition, results.outcome(chosen)));
    }
    OpenResult result = results.choose(chosen);
    branches.forEach((replica, branch) -> {
      if (replica != chosen) {
        branch.submit(() -> results.discard(replica));
      }
    });
    return result;
  }

  /** Changes a setting of the session, at every replica and for the rest of the transaction. */
  OpenResult set(StatementRequest setting, RunningStatements running) throws SQLException {
    changesSettings = true;
    return write(setting, false, List.of(), running);
  }

  /**
   * Takes locks and does nothing else.
   *
   * @param statement what they are for, as those who wait are told
   */
  void lock(String statement, List<LockDemand> demands) throws SQLException {
    askForLocks(statement, null, demands);
  }

  /** Waits for locks for as long as any may be waited for, and for what is done under them. */
  private int askForLocks(String statement, @Nullable WriteStep step, List<LockDemand> demands)
      throws SQLException {
    CompletableFuture<Integer> answer =
        pending.ask(
            ClientQuestion.write(statement, step, changesSettings),
            new ClusterEvent.Write(id, demands));
    try {
      return Answers.await(
          answer,
          cluster.configuration().lockWait(),
          () -> cluster.post(new ClusterEvent.WaitedTooLong(id)));
    } finally {
      leftUnanswered = !answer.isDone();
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

  /** Does something at the one replica whose rows the client sees. */
  <T> T read(BranchWork<T> work) throws SQLException {
    try {
      return Answers.await(submit(home, work));
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        cluster.failed(home, e);
      }
      throw e;
    }
  }

  /** Reads at the replica whose rows the client sees, or at another when that is lost. */
  OpenResult query(StatementRequest request, RunningStatements running) throws SQLException {
    while (true) {
      try {
        return read(connection -> request.read(connection, running));
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST || !moveHome()) {
          throw e;
        }
      }
    }
  }

  /** Does something at every replica that takes part; those that are lost meanwhile say nothing. */
  <T> List<T> everywhere(BranchWork<T> work) throws SQLException {
    Map<Integer, CompletableFuture<T>> answers = new TreeMap<>();
    for (int replica : cluster.active()) {
      if (branches.containsKey(replica)) {
        answers.put(replica, submit(replica, work));
      }
    }
    List<T> said = new ArrayList<>();
    for (Map.Entry<Integer, CompletableFuture<T>> one : answers.entrySet()) {
      try {
        said.add(Answers.await(one.getValue()));
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        cluster.failed(one.getKey(), e);
      }
    }
    return said;
  }

  private <T> CompletableFuture<T> submit(int replica, BranchWork<T> work) {
    ReplicaBranch branch = branchAt(replica);
    CompletableFuture<T> done = new CompletableFuture<>();
    branch.submit(() -> {
      try {
        done.complete(work.run(branch.open()));
      } catch (SQLException | RuntimeException e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  /** Moves to another replica after the one that the client reads from was lost. */
  private boolean moveHome() {
    List<Integer> active = cluster.active();
    for (int replica : active) {
      if (branches.containsKey(replica) && replica != home) {
        home = replica;
        return true;
      }
    }
    return false;
  }

  /**
   * Commits.
   *
   * @param kept a result that its client still reads from, which keeps its connection; null: none
   */
  void commit(@Nullable OpenResult kept) throws SQLException {
    boolean keeps = kept != null && kept.isWorthKeeping();
    CompletableFuture<Integer> answer =
        pending.ask(
            pending.question().commit(done, keeps ? kept : null, home),
            new ClusterEvent.Commit(id));
    int replica;
    try {
      replica = Answers.await(answer);
    } catch (SQLException e) {
      if (e.getCause() instanceof InterruptedException) {
        throw unknown("The client was interrupted", e);
      }
      throw e;
    }
    if (replica < 0) {
      throw unknown("All replicas were lost", null);
    }
  }

  private static SQLException unknown(String what, @Nullable SQLException cause) {
    return new SQLException(
        what + " while the transaction was being committed: it cannot be told whether it was.",
        SqlStates.OUTCOME_UNKNOWN,
        cause);
  }

  void rollback() throws SQLException {
    Answers.await(pending.ask(pending.question(), new ClusterEvent.Rollback(id)));
  }

  void answered(ClusterEffect.AnswerDone answer) {
    pending.answered(answer.replica());
  }

  /** Whether the cluster has undone it of its own accord, or its client left a statement alone. */
  boolean canOnlyRollBack() {
    return leftUnanswered || cluster.steps().between(() -> undone);
  }

  void aborted(ClusterEffect.AnswerAborted aborted) {
    undone = true;
    pending.failed(
        new SQLException(
            "The cluster undid the transaction: " + aborted.reason() + ".", aborted.sqlState()));
  }

  void waited(ClusterEffect.AnswerWaited waited) {
    undone = true;
    pending.failed(WaitedInVain.failure(cluster, waited, this));
  }

  void execute(ClusterEffect.Execute execute) {
    ReplicaBranch branch = branchAt(execute.replica());
    ClientQuestion question = pending.question();
    WriteStep current = question.step();
    branch.submit(() ->
        attempt(
            execute.replica(),
            () -> {
              if (question.changesSettings()) {
                branch.changesSettings();
              }
              StatementOutcome outcome = branch.run(current, execute.replica());
              cluster.post(
                  new ClusterEvent.Executed(id, execute.statement(), execute.replica(), outcome));
            }));
  }

  /** All that was done, for the log. */
  TransactionRecord record() {
    return new TransactionRecord(position, settings, pending.question().done());
  }

  /** Does the whole transaction at a replica that has come since it began. */
  void replay(int replica) {
    ReplicaBranch branch = branchAt(replica);
    boolean dropped = pending.question().changesSettings();
    TransactionRecord all = record();
    branch.submit(() ->
        attempt(
            replica,
            () -> {
              if (dropped) {
                branch.changesSettings();
              }
              cluster.recovery().replay(replica, branch.open(), all);
              branch.close();
              cluster.post(new ClusterEvent.Committed(id, replica));
            }));
  }

  void prepare(ClusterEffect.Prepare prepare) {
    position = prepare.position();
    ReplicaBranch branch = branchAt(prepare.replica());
    branch.submit(() ->
        attempt(
            prepare.replica(),
            () -> {
              StatementOutcome outcome;
              try {
                cluster.recovery().mark(prepare.replica(), branch.open(), prepare.position());
                outcome = StatementOutcome.done("");
              } catch (FencedException e) {
                throw e;
              } catch (SQLException e) {
                if (FailureKind.of(e) == FailureKind.LOST) {
                  throw e;
                }
                outcome = FailureKind.outcome(e);
              }
              cluster.post(new ClusterEvent.Prepared(id, prepare.replica(), outcome));
            }));
  }

  void commitAt(int replica) {
    ReplicaBranch branch = branchAt(replica);
    ClientQuestion last = pending.question();
    OpenResult kept = replica == last.keptAt() ? last.kept() : null;
    branch.submit(() ->
        attempt(
            replica,
            () -> {
              branch.open().commit();
              Connection connection = kept == null ? null : branch.take();
              if (connection != null && kept != null) {
                kept.onClose(() -> branch.release(connection));
              } else {
                branch.close();
              }
              cluster.post(new ClusterEvent.Committed(id, replica));
            }));
  }

  void rollBackAt(int replica) {
    ReplicaBranch branch = branchAt(replica);
    branch.submit(() ->
        attempt(
            replica,
            () -> {
              Connection connection = branch.take();
              if (connection != null) {
                try {
                  connection.rollback();
                } finally {
                  branch.release(connection);
                }
              }
              cluster.post(new ClusterEvent.RolledBack(id, replica));
            }));
  }

  private void attempt(int replica, BranchStep work) {
    try {
      work.run();
    } catch (FencedException e) {
      cluster.post(new ClusterEvent.Fenced(e.owner()));
    } catch (SQLException e) {
      branchAt(replica).close();
      cluster.failed(replica, e);
    } catch (RuntimeException e) {
      branchAt(replica).close();
      cluster.failed(replica, new SQLException("its driver failed: " + e, e));
    }
  }

  /** A task of a branch; its failure takes the replica out. */
  @FunctionalInterface
  private interface BranchStep {
    void run() throws SQLException;
  }

  private ReplicaBranch branchAt(int replica) {
    return branches.computeIfAbsent(replica, number -> newBranch(number, null));
  }

  private ReplicaBranch newBranch(int replica, @Nullable Connection begun) {
    return cluster.branch(replica, settings, begun);
  }
}
