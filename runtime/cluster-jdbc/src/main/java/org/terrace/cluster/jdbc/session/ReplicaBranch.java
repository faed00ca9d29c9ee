package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.FetchPlace;
import org.terrace.cluster.server.dialect.TaskQueue;

/**
 * The part of a transaction at one replica: a connection, and what is to be done on it, one after
 * the other. Thread-safe; the connection is used by one task at a time.
 */
final class ReplicaBranch implements FetchPlace {
  private final ReplicaServer replica;
  private final List<String> settings;
  private final TaskQueue tasks;
  private volatile boolean left;
  private volatile boolean broken;
  private boolean changesSettings;
  private @Nullable Connection connection;

  /** A branch without a connection, or with one whose transaction has begun. */
  ReplicaBranch(
      ReplicaServer replica, Executor executor, List<String> settings, @Nullable Connection begun) {
    this.replica = replica;
    this.tasks = new TaskQueue(executor, new ArrayDeque<>());
    this.settings = List.copyOf(settings);
    this.connection = begun;
  }

  ReplicaServer replica() {
    return replica;
  }

  /** Does the task after those that were given before. */
  void submit(Runnable task) {
    tasks.submit(task);
  }

  /** Makes a call after what was given before, and gives what will come of it. */
  <T> CompletableFuture<T> ask(Call<T> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    submit(() -> {
      try {
        done.complete(call.make());
      } catch (SQLException | RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  @Override
  public <T> T fetch(Call<T> call) throws SQLException {
    return Answers.await(ask(call));
  }

  @Override
  public void broken() {
    broken = true;
  }

  /**
   * Undoes the transaction. The server does so by itself when its connection was broken at this
   * end, or when it has ended the session, as of a client that was idle for too long. Only for
   * tasks.
   */
  void undo(Connection begun) throws SQLException {
    if (!broken && !begun.isClosed()) {
      begun.rollback();
    }
  }

  /** Notes that the transaction changes settings, so that its connection is dropped. For tasks. */
  void changesSettings() {
    changesSettings = true;
  }

  /**
   * Ends the branch, as its replica is taken out. Those of its tasks that have not begun would do
   * the end of the transaction without its beginning, on another connection; they fail.
   */
  void leave() {
    left = true;
    submit(this::close);
  }

  /** Whether its replica was taken out since it began, also if that is back. */
  boolean isLeft() {
    return left;
  }

  /** The connection, with a transaction. Only for tasks. */
  Connection open() throws SQLException {
    Connection open = connection;
    if (open == null && !left) {
      open = begin(replica, settings);
      connection = open;
    }
    if (open == null || left) {
      throw new SQLException(replica.name() + " was taken out.", SqlStates.CONNECTION_FAILURE);
    }
    return open;
  }

  /** Does a step, or nothing but begin. Only for tasks; only the loss of the replica is thrown. */
  StatementOutcome run(@Nullable WriteStep step, int number) throws SQLException {
    try {
      Connection open = open();
      return step == null ? StatementOutcome.done("lock") : step.run(number, open);
    } catch (SQLTransientConnectionException e) {
      // All of its connections are lent: that says nothing against the server.
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      return FailureKind.outcome(e);
    }
  }

  /** A connection of a replica with the session's settings and a transaction. */
  static Connection begin(ReplicaServer replica, List<String> settings) throws SQLException {
    Connection begun = replica.borrow();
    try {
      begun.setAutoCommit(false);
      apply(begun, settings);
      return begun;
    } catch (SQLException e) {
      replica.giveBack(begun);
      throw e;
    }
  }

  static void apply(Connection connection, List<String> settings) throws SQLException {
    for (String setting : settings) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(setting);
      }
    }
  }

  /** Takes the connection out of the branch, which will not give it back. Only for tasks. */
  @Nullable Connection take() {
    Connection taken = connection;
    connection = null;
    return taken;
  }

  /** Gives the connection back. Only for tasks. */
  void close() {
    Connection closing = take();
    if (closing != null) {
      release(closing);
    }
  }

  /** Gives back a connection that was the branch's. */
  void release(Connection taken) {
    if (changesSettings) {
      replica.drop(taken);
    } else {
      release(replica, taken, settings);
    }
  }

  /** Gives a connection back; one whose settings were changed is dropped. */
  static void release(ReplicaServer replica, Connection connection, List<String> settings) {
    if (settings.isEmpty()) {
      replica.giveBack(connection);
    } else {
      replica.drop(connection);
    }
  }
}
