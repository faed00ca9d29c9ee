package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
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
 * at a time; effects come from any.
 */
final class ClientTransaction {
  private final DatabaseCluster cluster;
  private final long id;
  private final List<String> settings;
  private final Map<Integer, ReplicaBranch> branches = new ConcurrentHashMap<>();
  private final List<LoggedStatement> done = Collections.synchronizedList(new ArrayList<>());
  private volatile CompletableFuture<Integer> answer = new CompletableFuture<>();
  private volatile @Nullable WriteStep step;
  private volatile int keep = -1;
  private volatile @Nullable OpenResult keptResult;
  private volatile int home;
  private volatile boolean undone;
  private volatile boolean changesSettings;
  private volatile Thread client = Thread.currentThread();
  private volatile String latest = "";
  private volatile long position;

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
    step = next;
    int chosen = askForLocks(request.sql(), demands);
    home = chosen;
    if (logged) {
      done.add(new LoggedStatement(request, definition, next.outcome(chosen)));
    }
    OpenResult result = next.choose(chosen);
    branches.forEach((replica, branch) -> {
      if (replica != chosen) {
        branch.submit(() -> next.discard(replica));
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
    step = null;
    askForLocks(statement, demands);
  }

  /** Waits for locks for as long as any may be waited for, and for what is done under them. */
  private int askForLocks(String statement, List<LockDemand> demands) throws SQLException {
    client = Thread.currentThread();
    latest = statement;
    return Answers.await(
        post(new ClusterEvent.Write(id, demands)),
        cluster.configuration().lockWait(),
        () -> cluster.post(new ClusterEvent.WaitedTooLong(id)));
  }

  /** The thread that last wrote. */
  Thread client() {
    return client;
  }

  /** The statement that it executed last, or waits for. */
  String latest() {
    return latest;
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
    if (kept != null && kept.isWorthKeeping()) {
      keep = home;
      keptResult = kept;
    }
    int replica = ask(new ClusterEvent.Commit(id));
    if (replica < 0) {
      throw new SQLException(
          "All replicas were lost while the transaction was being committed: it cannot be told"
              + " whether it was.",
          SqlStates.OUTCOME_UNKNOWN);
    }
  }

  void rollback() throws SQLException {
    ask(new ClusterEvent.Rollback(id));
  }

  private int ask(ClusterEvent event) throws SQLException {
    return Answers.await(post(event));
  }

  private CompletableFuture<Integer> post(ClusterEvent event) {
    CompletableFuture<Integer> asked = new CompletableFuture<>();
    answer = asked;
    cluster.post(event);
    return asked;
  }

  void answered(ClusterEffect.AnswerDone done) {
    answer.complete(done.replica());
  }

  /** Whether the cluster has undone it of its own accord. */
  boolean isUndone() {
    return undone;
  }

  void aborted(ClusterEffect.AnswerAborted aborted) {
    undone = true;
    answer.completeExceptionally(
        new SQLException(
            "The cluster undid the transaction: " + aborted.reason() + ".", aborted.sqlState()));
  }

  void waited(ClusterEffect.AnswerWaited waited) {
    undone = true;
    answer.completeExceptionally(WaitedInVain.failure(cluster, waited, this));
  }

  void execute(ClusterEffect.Execute execute) {
    ReplicaBranch branch = branchAt(execute.replica());
    WriteStep current = step;
    branch.submit(() ->
        attempt(
            execute.replica(),
            () -> {
              Connection connection = branch.open();
              StatementOutcome outcome =
                  current == null
                      ? StatementOutcome.done("lock")
                      : current.run(execute.replica(), connection);
              cluster.post(
                  new ClusterEvent.Executed(id, execute.statement(), execute.replica(), outcome));
            }));
  }

  /** All that was done, for the log. */
  TransactionRecord record() {
    synchronized (done) {
      return new TransactionRecord(position, settings, done);
    }
  }

  /** Does the whole transaction at a replica that has come since it began. */
  void replay(int replica) {
    ReplicaBranch branch = branchAt(replica);
    branch.submit(() ->
        attempt(
            replica,
            () -> {
              cluster.recovery().replay(replica, branch.open(), record());
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
    branch.submit(() ->
        attempt(
            replica,
            () -> {
              branch.open().commit();
              OpenResult kept = keptResult;
              Connection connection = replica == keep && kept != null ? branch.take() : null;
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
    return cluster.branch(replica, settings, () -> changesSettings, begun);
  }
}
