package org.terrace.cluster.jdbc.session;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterEffect;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.RememberedPositions;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.jdbc.recovery.CatchUp;
import org.terrace.cluster.jdbc.recovery.DonorCopy;
import org.terrace.cluster.jdbc.recovery.ReplayDiffersException;
import org.terrace.cluster.jdbc.recovery.Replayer;
import org.terrace.cluster.jdbc.recovery.TransactionRecord;
import org.terrace.cluster.jdbc.recovery.TransactionRecordCodec;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.copy.CopyGate;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.memory.FencedException;
import org.terrace.cluster.server.memory.MembershipTable;
import org.terrace.recovery.log.RecordMayRemainException;
import org.terrace.recovery.log.RecoveryLog;

/**
 * The part of a cluster that outlives the process: its log, its ownership, and the memory of its
 * replicas; and the returns of those that were out. Thread-safe.
 */
final class ClusterRecovery {
  private static final Logger LOG = System.getLogger(ClusterRecovery.class.getName());

  private final DatabaseCluster cluster;
  private final List<ReplicaServer> replicas;
  private final ClusterLease lease;
  private final @Nullable RecoveryLog log;
  private final Executor executor;
  private final ReturnAttempts<ReplicaReturn> returns = new ReturnAttempts<>();
  private final Map<Integer, String> divergences = new ConcurrentHashMap<>();
  private final Map<Integer, String> reasons = new ConcurrentHashMap<>();
  private final CopyGate definitions = new CopyGate();

  /** The turns of those who tell each replica of a view. */
  private final Map<Integer, ReentrantLock> turns = new ConcurrentHashMap<>();

  /** Written in the core's steps alone. */
  private volatile long latestView;

  private volatile CompletableFuture<Void> lastRecording = CompletableFuture.completedFuture(null);

  /** Of the core's steps alone. */
  private CompletableFuture<Long> lastAppend = CompletableFuture.completedFuture(0L);

  ClusterRecovery(
      DatabaseCluster cluster,
      ClusterOpening opening,
      List<ReplicaServer> replicas,
      Executor executor) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.lease = opening.lease();
    this.log = opening.log();
    this.executor = executor;
  }

  ClusterLease lease() {
    return lease;
  }

  /** The exclusion of definitions and copies. */
  CopyGate definitions() {
    return definitions;
  }

  /** The way in which data are copied from one replica to another. */
  DonorCopy copy() {
    return new DonorCopy(
        cluster.dialect(), lease.tables(), cluster.configuration().copy(), definitions);
  }

  /**
   * The reason why a server cannot return, neither by the log alone nor by a copy; empty: it can.
   */
  Optional<String> refusal(ReplicaServer replica, Greetings.Greeting greeting) {
    return CatchUp.lack(greeting.memory(), log()).flatMap(lack -> refusal(replica, lack, greeting));
  }

  /** The reason why a server cannot return by a copy for which the log is not enough. */
  Optional<String> refusal(ReplicaServer replica, String lack, Greetings.Greeting greeting) {
    List<String> others = new ArrayList<>(cluster.servers());
    others.remove(replica.name());
    return copy()
        .refusal(lack, greeting.memory(), greeting.schema(), log().identity().toString(), others);
  }

  boolean keepsLog() {
    return log != null;
  }

  RecoveryLog log() {
    RecoveryLog opened = log;
    if (opened == null) {
      throw new IllegalStateException("there is no recovery log");
    }
    return opened;
  }

  /** Marks a transaction as applied, within it. */
  void mark(int replica, Connection connection, long position) throws SQLException {
    if (!lease.tables().mark(connection, position, lease.epochAt(replica))) {
      throw new FencedException(lease.tables().read(connection).owner());
    }
  }

  /** Does a transaction at a replica that has not seen any of it, and commits. */
  void replay(int replica, Connection connection, TransactionRecord transaction)
      throws SQLException {
    try {
      new Replayer(cluster.engine(), lease, replica).apply(connection, transaction);
    } catch (ReplayDiffersException e) {
      diverged(replicas.get(replica), String.valueOf(e.getMessage()));
      throw new SQLException(e.getMessage(), SqlStates.CONNECTION_FAILURE, e);
    }
  }

  /** Writes a record to the log, if there is one, and tells the cluster. */
  void append(ClusterEffect.Append append, TransactionRecord transaction) {
    RecoveryLog opened = log;
    if (opened == null) {
      cluster.post(new ClusterEvent.Logged(append.transaction()));
      return;
    }
    CompletableFuture<Long> appended = append(opened, append.position(), transaction);
    if (!appended.isCompletedExceptionally()) {
      // One that is refused at once is no way to the disk that a return may wait for.
      lastAppend = appended;
    }
    CompletableFuture<Void> _ =
        appended.handle((index, failure) -> {
          cluster.post(
              failure == null
                  ? new ClusterEvent.Logged(append.transaction())
                  : new ClusterEvent.LogFailed(
                      append.transaction(),
                      String.valueOf(failure.getMessage()),
                      failure instanceof RecordMayRemainException));
          opened
              .failure()
              .ifPresent(broken -> cluster.lostReplicas().logFailed("" + broken.getMessage()));
          return null;
        });
  }

  /** Gives a record to the log, or fails: it may be larger than can be written down. */
  private static CompletableFuture<Long> append(
      RecoveryLog opened, long position, TransactionRecord transaction) {
    try {
      return opened.append(position, TransactionRecordCodec.encode(transaction));
    } catch (RuntimeException | OutOfMemoryError e) {
      return CompletableFuture.failedFuture(
          new IOException("the transaction's record cannot be made: " + e, e));
    }
  }

  /** Makes the active replicas remember who they are, then tells the cluster. */
  void recordView(ClusterEffect.RecordView view) {
    List<String> names = view.active().stream().map(number -> replicas.get(number).name()).toList();
    List<CompletableFuture<Void>> recorded = new ArrayList<>();
    latestView = view.view();
    for (int number : view.active()) {
      recorded.add(
          CompletableFuture.runAsync(() -> recordInOrder(number, view.view(), names), executor));
    }
    lastRecording = CompletableFuture.allOf(recorded.toArray(CompletableFuture[]::new));
    CompletableFuture<Void> _ =
        lastRecording.thenRun(() -> cluster.post(new ClusterEvent.ViewRecorded(view.view())));
  }

  /** Lets those who have just come back be remembered as active, before all are left. */
  void awaitView(Duration limit) {
    try {
      lastRecording.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "The servers may not remember who was active last", e);
    }
  }

  /** A server must not remember an earlier view after a later one, however late it is told. */
  private void recordInOrder(int number, long view, List<String> names) {
    ReentrantLock turn = turns.computeIfAbsent(number, _ -> new ReentrantLock());
    turn.lock();
    try {
      if (view == latestView) {
        recordView(number, view, names);
      }
    } finally {
      turn.unlock();
    }
  }

  private void recordView(int number, long view, List<String> names) {
    String name = log == null ? "" : log.identity().toString();
    try (Connection connection = replicas.get(number).connect()) {
      long epoch = lease.epochAt(number);
      if (!lease.tables().recordView(connection, epoch, view, names, name)) {
        fenced(lease.tables().read(connection).owner());
      }
    } catch (SQLException e) {
      viewIsUnknown(number, view, e);
    } catch (RuntimeException | Error e) {
      viewIsUnknown(number, view, new SQLException("its driver failed: " + e, e));
    }
  }

  /**
   * A replica that has left the view since may be back, which an old failure says nothing against.
   */
  private void viewIsUnknown(int number, long view, SQLException failure) {
    if (view == latestView) {
      cluster.failed(number, failure);
    }
  }

  /** Renews the ownership at a replica, and has it forget what all have. */
  void renew(int number, Connection connection) throws SQLException {
    Optional<RememberedPositions> known = cluster.ask(core -> core.floorAt(number));
    if (known.isEmpty()) {
      return;
    }
    long floor =
        log == null ? known.get().floor() : known.get().floorBelowEnd(log.greatestDropped());
    try {
      if (!lease.tables().renew(connection, lease.epochAt(number), floor)) {
        fenced(lease.tables().read(connection).owner());
      } else {
        new MembershipTable(cluster.dialect())
            .takeWish(connection)
            .ifPresent(wish -> cluster.grant(number, wish));
      }
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      LOG.log(
          Level.DEBUG, "{0} is renewed later: {1}", replicas.get(number).name(), e.getMessage());
    }
  }

  /** Begins with the return of a replica that is out. It is for tasks that may wait. */
  void takenOut(ReplicaServer replica, String reason, boolean diverged) {
    if (diverged) {
      diverged(replica, reason);
    }
    if (divergence(replica).isPresent()) {
      remember(replica, reason);
    }
    replica.cut();
    seekReturn(replica);
  }

  private void remember(ReplicaServer replica, String reason) {
    try (Connection connection = replica.ask()) {
      lease.tables().markDiverged(connection, reason);
      divergenceIsKnown(replica);
    } catch (SQLException e) {
      LOG.log(
          Level.DEBUG, "{0} cannot be told that it differs: {1}", replica.name(), e.getMessage());
    }
  }

  /** Asks a replica that is out to come back, if there is a log to come back by. */
  void seekReturn(ReplicaServer replica) {
    ReplicaReturn attempt = new ReplicaReturn(cluster, this, replica);
    if (log != null && returns.begin(replica.number(), attempt)) {
      Thread.ofVirtual().name("terrace-return-" + replica.name()).start(attempt::run);
    }
  }

  /**
   * A replica's epoch is not what it was: another process owns the cluster, which is told, and no
   * replica comes back any more; or this one has raised it, at the replica's return. Says whether
   * it is another.
   */
  boolean fenced(String owner) {
    boolean others = !owner.equals(lease.name());
    if (others) {
      returns.end();
      cluster.post(new ClusterEvent.Fenced(owner));
    }
    return others;
  }

  /** Lets a replica that is out not come back any more. */
  void giveUp(ReplicaServer replica) {
    ReplicaReturn waiting = returns.remove(replica.number());
    if (waiting != null) {
      waiting.end();
      replica.cut();
    }
  }

  void catchUp(ClusterEffect.CatchUp catchUp) {
    ReplicaReturn waiting = returns.find(catchUp.replica());
    if (waiting != null) {
      waiting.catchUp(catchUp.logged(), lastAppend);
    }
  }

  void joined(ClusterEffect.Join join) {
    ReplicaReturn waiting = returns.remove(join.replica());
    reasons.remove(join.replica());
    if (waiting != null) {
      waiting.joined();
    }
  }

  /** Notes that a replica's data are not to be trusted. */
  void diverged(ReplicaServer replica, String reason) {
    divergences.put(replica.number(), reason);
  }

  /** The reason not to trust a replica's data, if the replica was not told it yet. */
  Optional<String> divergence(ReplicaServer replica) {
    return Optional.ofNullable(divergences.get(replica.number()));
  }

  void divergenceIsKnown(ReplicaServer replica) {
    divergences.remove(replica.number());
    cluster.post(new ClusterEvent.ReplicaExcluded(replica.number()));
  }

  /** Notes why a replica does not come back. */
  void notYet(ReplicaServer replica, String reason) {
    if (!reason.isEmpty() && !reason.equals(reasons.put(replica.number(), reason))) {
      LOG.log(Level.WARNING, "Replica {0} cannot return: {1}", replica.name(), reason);
      cluster.lost(replica.number(), reason);
    }
  }

  /** Gives up the ownership and closes the log. */
  void close(List<Integer> active) {
    returns.end();
    for (int number : active) {
      try (Connection connection = replicas.get(number).ask()) {
        lease.tables().release(connection, lease.epochAt(number));
      } catch (SQLException e) {
        LOG.log(Level.DEBUG, "{0} stays owned: {1}", replicas.get(number).name(), e.getMessage());
      }
    }
    RecoveryLog opened = log;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, "The recovery log cannot be closed: " + e.getMessage());
      }
    }
  }
}
