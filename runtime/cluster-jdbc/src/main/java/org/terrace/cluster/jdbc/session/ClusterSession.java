package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.server.dialect.StatementTimer;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.RefusedStatementException;
import org.terrace.cluster.sql.SessionSettings;
import org.terrace.cluster.sql.StatementAnalysis;

/**
 * The dealings of one connection of a client with the cluster: its transaction, the replica it
 * reads from, its settings. Confined to one thread at a time, but for {@link #giveUp}.
 */
final class ClusterSession {
  /** The most attempts at a statement outside of transactions when the tables change under it. */
  private static final int ATTEMPTS_MAX = 10;

  private final DatabaseCluster cluster;
  private final SessionSettings settings;
  private final SessionFreshness seen;
  private final SessionInfo info;
  private final SessionReads reads;
  private final SessionValues values;
  private final SessionLocks locks;
  private final TransactionFailure failure = new TransactionFailure();
  private boolean autoCommit = true;
  private boolean readOnly;
  private final SessionUse use;
  private volatile @Nullable ClientTransaction writing;
  private volatile @Nullable RunningStatements underWay;
  private boolean tablesChanged;

  ClusterSession(DatabaseCluster cluster, SessionUse use) {
    this.cluster = cluster;
    this.use = use;
    this.settings = new SessionSettings(cluster.engine());
    this.seen = cluster.newSession();
    this.info = new SessionInfo(seen, settings);
    this.reads = new SessionReads(cluster, settings.statements(), seen);
    this.values = new SessionValues(cluster, settings.statements());
    this.locks = new SessionLocks(cluster, seen);
  }

  DatabaseCluster cluster() {
    return cluster;
  }

  boolean isAutoCommit() {
    return autoCommit;
  }

  void setAutoCommit(boolean wanted) throws SQLException {
    if (wanted && !autoCommit) {
      commit();
    }
    autoCommit = wanted;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  void setReadOnly(boolean wanted) throws SQLException {
    checkNoTransaction("setReadOnly");
    readOnly = wanted;
  }

  int isolation() {
    return reads.isolation();
  }

  void setIsolation(int level) throws SQLException {
    checkNoTransaction("setTransactionIsolation");
    reads.setIsolation(level);
  }

  private void checkNoTransaction(String method) throws SQLException {
    if (writing != null || reads.isOpen()) {
      throw new SQLException(
          method + " was called within a transaction: commit or roll back first.",
          SqlStates.WRONG_TRANSACTION_STATE);
    }
  }

  /** Executes a statement of any kind. */
  OpenResult execute(StatementRequest request, RunningStatements running) throws SQLException {
    failure.check();
    RunningStatements own = new RunningStatements();
    running.begin(own);
    underWay = own;
    try {
      use.check();
      return autoCommit ? alone(request, own) : inTransaction(request, own);
    } catch (SQLException e) {
      boolean ofTransaction = !autoCommit && isOpen();
      failure.set(ofTransaction && (isUndone() || cluster.engine() == Engine.POSTGRESQL));
      throw e;
    } finally {
      running.end(own);
      underWay = null;
      own.leave();
      failure.watch(running, this::isOpen, this::leave);
    }
  }

  /** Whether the transaction is undone, or its client has left it. */
  private boolean isUndone() {
    return Optional.ofNullable(writing).filter(ClientTransaction::canOnlyRollBack).isPresent();
  }

  private boolean isOpen() {
    return writing != null || reads.isOpen();
  }

  private void leave() {
    Optional.ofNullable(writing).ifPresent(ClientTransaction::leave);
  }

  /** Lets whoever is at something come to its end, also at the servers. Thread-safe. */
  void giveUp() {
    leave();
    Optional.ofNullable(underWay).ifPresent(RunningStatements::leave);
    locks.close();
  }

  private OpenResult alone(StatementRequest request, RunningStatements running)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      long catalogue = cluster.catalogue();
      StatementAnalysis analysis = cluster.analyzer().analyze(request.sql());
      switch (analysis.kind()) {
        case READ -> {
          return reads.anywhere(evaluated(request, analysis), running);
        }
        case SETTING -> {
          return setting(request, running);
        }
        case NAMED_LOCK -> {
          try {
            return locks.call(request, analysis, reads::anywhere, running);
          } finally {
            locks.endTransaction();
          }
        }
        case LOCKING_READ, WRITE, DEFINITION -> {
          OpenResult result = writeAlone(request.inOnePage(), analysis, catalogue, running);
          if (result != null) {
            return result;
          }
          if (attempt == ATTEMPTS_MAX) {
            throw TransactionFailure.tablesChange();
          }
        }
      }
    }
  }

  /** A transaction of one statement; null: the tables changed, so that it is to be tried again. */
  private @Nullable OpenResult writeAlone(
      StatementRequest request,
      StatementAnalysis analysis,
      long catalogue,
      RunningStatements running)
      throws SQLException {
    ClientTransaction transaction = beginWriting();
    boolean done = false;
    try (StatementTimer _ = StatementTimer.begin(request, running)) {
      if (commits(analysis) && !readOnly) {
        // What was judged by tables that changed while it waited could not be undone.
        transaction.lockAsBarrier(request.sql(), demands(request, analysis), running);
        if (catalogue != cluster.catalogue()) {
          return null;
        }
      }
      OpenResult result = write(transaction, request, analysis, running);
      if (catalogue == cluster.catalogue()) {
        if (analysis.kind() == StatementAnalysis.Kind.DEFINITION) {
          transaction.learnTables(request.sql());
        }
        done = true;
        info.commit(transaction, result);
        return result;
      }
      return null;
    } finally {
      writing = null;
      if (!done) {
        transaction.rollback();
      }
    }
  }

  private OpenResult inTransaction(StatementRequest request, RunningStatements running)
      throws SQLException {
    long catalogue = cluster.catalogue();
    StatementAnalysis analysis = cluster.analyzer().analyze(request.sql());
    return switch (analysis.kind()) {
      case READ -> readHere(evaluated(request, analysis), running);
      case SETTING -> setting(request, running);
      case NAMED_LOCK -> locks.call(request, analysis, this::readHere, running);
      case LOCKING_READ, WRITE, DEFINITION -> {
        if (commits(analysis)) {
          commit();
          yield Optional.ofNullable(writeAlone(request, analysis, catalogue, running))
              .orElseThrow(TransactionFailure::tablesChange);
        }
        ClientTransaction transaction = beginWriting();
        OpenResult result;
        try (StatementTimer _ = StatementTimer.begin(request, running)) {
          result = write(transaction, request, analysis, running);
        }
        if (catalogue != cluster.catalogue()) {
          rollback();
          throw TransactionFailure.tablesChange();
        }
        if (analysis.kind() == StatementAnalysis.Kind.DEFINITION) {
          tablesChanged = true;
          transaction.learnTables(request.sql());
        }
        yield result;
      }
    };
  }

  /** Whether it is a definition that stays, whatever becomes of its transaction. */
  private boolean commits(StatementAnalysis analysis) {
    boolean defines = analysis.kind() == StatementAnalysis.Kind.DEFINITION;
    return defines && cluster.dialect().definitionsCommit();
  }

  private List<LockDemand> demands(StatementRequest request, StatementAnalysis analysis) {
    return WriteLocks.of(analysis, request, cluster.configuration().scheduling());
  }

  private OpenResult write(
      ClientTransaction transaction,
      StatementRequest request,
      StatementAnalysis analysis,
      RunningStatements running)
      throws SQLException {
    if (readOnly) {
      throw TransactionFailure.isReadOnly();
    }
    reads.checkMayWrite();
    List<LockDemand> demands = demands(request, analysis);
    if (analysis.kind() == StatementAnalysis.Kind.LOCKING_READ) {
      transaction.lock(request.sql(), demands, running);
      return transaction.reads().query(evaluated(request, analysis), running);
    }
    boolean definition = analysis.kind() == StatementAnalysis.Kind.DEFINITION;
    if (analysis.hidesKeys() && request.keys().any()) {
      throw new RefusedStatementException(
          "of several rows in one statement the server tells one number, and the driver guesses",
          "add RETURNING to it, or insert the rows as a batch");
    }
    if (analysis.counts()) {
      transaction.lock(request.sql(), demands, running);
    }
    try {
      return transaction.write(evaluated(request, analysis), definition, demands, running);
    } finally {
      if (!analysis.numbered()) {
        cluster.numbers().forget(analysis.written());
      }
    }
  }

  private ClientTransaction beginWriting() throws SQLException {
    ClientTransaction transaction = writing;
    if (transaction == null) {
      Connection begun = reads.handOn();
      int start = begun == null ? cluster.active().stream().findFirst().orElse(0) : reads.home();
      transaction = cluster.begin(seen, settings.statements(), start, begun);
      writing = transaction;
      use.check();
    }
    return transaction;
  }

  private OpenResult readHere(StatementRequest request, RunningStatements running)
      throws SQLException {
    ClientTransaction transaction = writing;
    return transaction == null
        ? reads.inTransaction(request, running)
        : transaction.reads().query(request, running);
  }

  private OpenResult setting(StatementRequest request, RunningStatements running)
      throws SQLException {
    StatementRequest inline = request.inline(cluster.engine());
    ClientTransaction transaction = writing;
    OpenResult result =
        transaction != null ? transaction.set(inline, running) : reads.read(inline, running);
    settings.changed(inline.sql(), !autoCommit);
    return result;
  }

  /** Puts in the values that one replica, or the cluster, finds for all. */
  private StatementRequest evaluated(StatementRequest request, StatementAnalysis analysis)
      throws SQLException {
    boolean numbers =
        analysis.evaluations().stream().anyMatch(evaluation -> evaluation.sequence() != null);
    if (numbers && readOnly) {
      throw TransactionFailure.isReadOnly();
    }
    SessionValues.Reader reader = autoCommit ? reads::anywhere : this::readHere;
    return values.bind(request, analysis, reader, writing, tablesChanged);
  }

  void commit() throws SQLException {
    ClientTransaction transaction = writing;
    if (failure.isOn()) {
      rollback();
      throw TransactionFailure.before("it was rolled back.");
    }
    boolean committed = false;
    try {
      if (transaction != null) {
        writing = null;
        info.commit(transaction, null);
      }
      committed = true;
    } finally {
      end(committed);
    }
  }

  void rollback() throws SQLException {
    ClientTransaction transaction = writing;
    writing = null;
    failure.set(false);
    try {
      if (transaction != null) {
        transaction.rollback();
      }
    } finally {
      end(false);
    }
  }

  private void end(boolean committed) {
    failure.transactionEnded();
    tablesChanged = false;
    reads.end(committed);
    settings.end(committed);
    locks.endTransaction();
  }

  /** Sets, releases or goes back to a savepoint, at every replica. */
  void savepoint(ClusterSavepoint point, ClusterSavepoint.Step step) throws SQLException {
    if (autoCommit) {
      throw TransactionFailure.needed("A savepoint");
    }
    if (step != ClusterSavepoint.Step.BACK) {
      failure.check();
    }
    StatementRequest request = StatementRequest.own(point.sql(step));
    ClientTransaction transaction = beginWriting();
    try {
      transaction.write(request, false, List.of(), new RunningStatements()).close();
    } catch (SQLException e) {
      failure.set(failure.isOn() || isUndone());
      throw e;
    }
    point.settle(step, settings);
    if (step == ClusterSavepoint.Step.BACK) {
      failure.set(false);
      if (tablesChanged) {
        transaction.learnTables("");
      }
    }
  }

  SessionInfo info() {
    return info;
  }

  /** Ends what is open. */
  void close() throws SQLException {
    try {
      if (isOpen()) {
        rollback();
      }
    } finally {
      locks.close();
    }
  }
}
