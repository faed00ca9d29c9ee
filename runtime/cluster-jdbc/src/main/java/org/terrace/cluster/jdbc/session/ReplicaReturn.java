package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.FreshnessToken;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.jdbc.recovery.CatchUp;
import org.terrace.cluster.jdbc.recovery.Pause;
import org.terrace.cluster.jdbc.recovery.ReplayDiffersException;
import org.terrace.cluster.jdbc.recovery.Replayer;
import org.terrace.cluster.jdbc.recovery.ReturnRefusedException;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.SchemaSnapshot;
import org.terrace.cluster.server.dialect.ServerSettings;
import org.terrace.cluster.server.memory.FencedException;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.cluster.sql.KnownTables;
import org.terrace.cluster.sql.TableCatalog;
import org.terrace.core.TimeSource;

/**
 * The return of one replica that is out, while the others serve: it is asked again and again; once
 * it answers, it is given what the log has since its own position; the last of it while the log
 * waits; then it takes part.
 */
final class ReplicaReturn implements ReturnAttempts.Attempt {
  private static final long BETWEEN_MILLIS = 250;

  /** The answers of the core to a replica that has done some of the log. */
  private sealed interface Next {
    /** It takes part. */
    record Joined() implements Next {}

    /** It does the log up to a record, once that is on the disk. */
    record CatchUp(long index, CompletableFuture<Long> appended) implements Next {}
  }

  private final DatabaseCluster cluster;
  private final ClusterRecovery recovery;
  private final ReplicaServer replica;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final PendingAnswer<Long, Next> pending;

  /** The reason for which the log is not enough, though it tells what is lacking; or empty. */
  private String unsure = "";

  private final Pause copyPause = new Pause(TimeSource.system());

  ReplicaReturn(DatabaseCluster cluster, ClusterRecovery recovery, ReplicaServer replica) {
    this.cluster = cluster;
    this.recovery = recovery;
    this.replica = replica;
    this.pending = new PendingAnswer<>(cluster.steps(), 0L);
  }

  /**
   * The core lets the replica do the log up to this record.
   *
   * @param appended its way to the disk
   */
  void catchUp(long index, CompletableFuture<Long> appended) {
    pending.answered(new Next.CatchUp(index, appended));
  }

  /** The core lets the replica take part. */
  void joined() {
    pending.answered(new Next.Joined());
  }

  /** Gives up. */
  @Override
  public void end() {
    ended.countDown();
    pending.end(new SQLException("The return was given up.", SqlStates.CLOSED));
  }

  /** Tries until it is back, or {@link #end}. */
  void run() {
    try {
      while (!ended.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS)) {
        if (attempt()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean attempt() {
    if (cluster.membership().isRemoved(replica.number())) {
      return true;
    }
    try (Connection connection = replica.connect();
        ReplicaWatch.Guard _ = cluster.watch().guard(replica)) {
      bringBack(connection);
      return true;
    } catch (FencedException e) {
      if (recovery.fenced(e.owner())) {
        return true;
      }
      notYet("its epoch was raised meanwhile");
    } catch (ReplayDiffersException e) {
      recovery.diverged(replica, String.valueOf(e.getMessage()));
      notYet(String.valueOf(e.getMessage()));
    } catch (ReturnRefusedException e) {
      notYet(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      // One that does not answer is what it was; the reason why it was taken out says more.
      notYet(FailureKind.of(e) == FailureKind.LOST ? "" : String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      // Commits may be waiting for it, whatever it was that broke.
      notYet("its driver failed: " + e);
    } finally {
      cluster.membership().noLongerReturns(replica.number(), this);
    }
    return false;
  }

  private void notYet(String reason) {
    if (ended.getCount() > 0) {
      recovery.notYet(replica, reason);
      // The log may be waiting for it.
      cluster.post(new ClusterEvent.ReplicaFailed(replica.number(), "it failed while returning"));
    }
  }

  private void bringBack(Connection connection) throws SQLException, ReturnRefusedException {
    EngineDialect dialect = cluster.dialect();
    ClusterLease lease = recovery.lease();
    lease.tables().make(connection);
    ReplicaMemory seen = lease.tables().read(connection);
    checkMayBeTaken(lease, connection, seen);
    checkSettings(settings(connection));
    Optional<String> diverged = recovery.divergence(replica);
    if (diverged.isPresent()) {
      lease.tables().markDiverged(connection, diverged.get());
      recovery.divergenceIsKnown(replica);
    }
    // A session that holds the old epoch is ended after that.
    try (Statement statement = connection.createStatement()) {
      statement.execute(dialect.lockWait(cluster.configuration().hang()));
    }
    // The epoch that was checked: who has raised it since keeps the server.
    if (!lease.take(replica.number(), connection, seen.epoch())) {
      throw new FencedException(lease.tables().read(connection).owner());
    }
    ReplicaMemory memory = whatTheLogHas(connection, lease.tables().read(connection));
    Replayer replayer = new Replayer(cluster.engine(), lease, replica.number());
    try (CatchUp catchUp = new CatchUp(replica, memory, recovery.log(), replayer)) {
      long done = recovery.log().lastIndex();
      catchUp.to(done);
      if (!catchUp.unknown().isEmpty()) {
        throw new ReturnRefusedException(
            "it has transaction " + catchUp.unknown().first() + ", which the log has not");
      }
      checkDefinition(lease, connection);
      compare(dialect.schema(connection));
      cluster.membership().tellReturning(replica.number(), connection, this);
      while (ask(done) instanceof Next.CatchUp(long next, CompletableFuture<Long> appended)) {
        checkIsFirst(next > done);
        awaitLogged(appended);
        catchUp.to(next);
        done = next;
      }
      if (!cluster.membership().wasTold(replica.number(), this)) {
        cluster.failed(
            replica.number(), new SQLException("it was not told of a change of the servers"));
      }
    }
  }

  /** The memory of a server that can go on by the log, after a copy if it needs one. */
  private ReplicaMemory whatTheLogHas(Connection connection, ReplicaMemory memory)
      throws SQLException, ReturnRefusedException {
    Optional<String> lack = CatchUp.lack(memory, recovery.log()).or(() -> Optional.of(unsure));
    if (lack.get().isEmpty()) {
      return memory;
    }
    checkCanBeCopiedInto(connection, memory, lack.get());
    if (copyPause.isOn()) {
      throw new ReturnRefusedException(copyPause.reason());
    }
    try {
      long epoch = recovery.lease().epochAt(replica.number());
      ReplicaMemory copied = recovery.copy().copy(donor(), replica, connection, epoch);
      unsure = "";
      return copied;
    } catch (SQLException | ReturnRefusedException e) {
      copyPause.begin(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** The one of the active replicas that has been so for the shortest time. */
  private ReplicaServer donor() throws ReturnRefusedException {
    List<Integer> active = cluster.active();
    if (active.isEmpty()) {
      throw ReturnRefusedException.untilAnotherIsBack("it needs a copy, and no server is active");
    }
    return cluster.replica(active.getLast());
  }

  private void checkCanBeCopiedInto(Connection connection, ReplicaMemory memory, String lack)
      throws SQLException, ReturnRefusedException {
    Optional<String> refusal =
        recovery.refusal(
            replica,
            lack,
            new Greetings.Greeting(
                cluster.dialect().schema(connection), memory, settings(connection)));
    if (refusal.isPresent()) {
      throw new ReturnRefusedException(refusal.get());
    }
    donor();
  }

  /**
   * Refuses to raise the epoch where another process may need it: at its own server, and at one
   * that would be of no use to this one.
   */
  private void checkMayBeTaken(ClusterLease lease, Connection connection, ReplicaMemory memory)
      throws SQLException, ReturnRefusedException {
    boolean others =
        !memory.free()
            && memory.epoch() != lease.epochAt(replica.number())
            && !memory.owner().equals(lease.name())
            && memory.renewedMillis() < cluster.configuration().lease().toMillis();
    if (others) {
      // An owner that ended while it was away could not tell it so.
      throw new SQLException(
          "it belongs to %s until that lease runs out".formatted(memory.owner()),
          SqlStates.READ_ONLY);
    }
    Optional<String> lack = CatchUp.lack(memory, recovery.log());
    if (lack.isPresent()) {
      checkCanBeCopiedInto(connection, memory, lack.get());
    }
  }

  /** Refuses one that may have done of a definition what the others have not, or lack it. */
  private void checkDefinition(ClusterLease lease, Connection connection)
      throws SQLException, ReturnRefusedException {
    String begun = lease.tables().definition(connection);
    if (cluster.active().isEmpty()) {
      checkIsFirst(cluster.lastActive() == replica.number());
      if (!begun.isEmpty()) {
        lease.settle(connection);
      }
      return;
    }
    boolean same =
        begun.isEmpty()
            && atActive(lease.tables()::lineage).equals(lease.tables().lineage(connection));
    if (!same) {
      unsure = ClusterLease.atDefinition(begun);
      throw new ReturnRefusedException(unsure);
    }
  }

  private ServerSettings settings(Connection connection) throws SQLException {
    return ServerSettings.of(cluster.engine(), connection);
  }

  /** Refuses to do anything where a statement means something else than at the others. */
  private void checkSettings(ServerSettings own) throws SQLException, ReturnRefusedException {
    if (!cluster.active().isEmpty()) {
      checkEqual(atActive(this::settings).difference("the cluster", own, replica.name()));
    }
  }

  private void compare(SchemaSnapshot schema) throws SQLException, ReturnRefusedException {
    if (cluster.active().isEmpty()) {
      // It has what the log has, and the others are held against it; and a definition that
      // commits by itself, which may have come to its end since it was taken out.
      checkIsFirst(cluster.lastActive() == replica.number());
      KnownTables.Change<TableCatalog> _ = cluster.learnTables(schema.catalog());
      return;
    }
    SchemaSnapshot active = atActive(cluster.dialect()::schema);
    checkEqual(active.versionDifference("the cluster", schema, replica.name()));
    checkEqual(active.difference("the cluster", schema, replica.name()));
  }

  private static void checkEqual(String difference) throws ReturnRefusedException {
    if (!difference.isEmpty()) {
      throw new ReturnRefusedException("it differs: " + difference);
    }
  }

  private void checkIsFirst(boolean isFirst) throws ReturnRefusedException {
    if (!isFirst) {
      throw ReturnRefusedException.untilAnotherIsBack(
          "all servers were lost, and %s, which was active last, returns first"
              .formatted(cluster.replica(cluster.lastActive()).name()));
    }
  }

  /** Asks an active server for what is committed there. */
  private <T> T atActive(TransactionBranches.BranchWork<T> question) throws SQLException {
    int active = cluster.chooseForRead(FreshnessToken.NONE);
    try {
      Connection connection = cluster.replica(active).borrow();
      try {
        return question.run(connection);
      } finally {
        cluster.replica(active).giveBack(connection);
      }
    } finally {
      cluster.balancer().done(active);
    }
  }

  private Next ask(long done) throws SQLException {
    return Answers.await(pending.ask(done, new ClusterEvent.CaughtUp(replica.number(), done)));
  }

  private static void awaitLogged(CompletableFuture<Long> appended) throws SQLException {
    try {
      appended.join();
    } catch (RuntimeException e) {
      throw new SQLException("The recovery log failed.", SqlStates.IO_ERROR, e);
    }
  }
}
