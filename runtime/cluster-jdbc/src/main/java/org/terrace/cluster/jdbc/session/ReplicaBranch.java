package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.replica.ReplicaServer;

/**
 * The part of a transaction at one replica: a connection, and what is to be done on it, one after
 * the other. Thread-safe; the connection is used by one task at a time.
 */
final class ReplicaBranch {
  private final ReplicaServer replica;
  private final Executor executor;
  private final List<String> settings;
  private final BooleanSupplier changesSettings;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;
  private @Nullable Connection connection;

  /**
   * A branch without a connection, or with one whose transaction has begun.
   *
   * @param changesSettings whether the transaction itself has changed settings
   */
  ReplicaBranch(
      ReplicaServer replica,
      Executor executor,
      List<String> settings,
      BooleanSupplier changesSettings,
      @Nullable Connection begun) {
    this.changesSettings = changesSettings;
    this.replica = replica;
    this.executor = executor;
    this.settings = List.copyOf(settings);
    this.connection = begun;
  }

  ReplicaServer replica() {
    return replica;
  }

  /** Does the task after those that were given before. */
  void submit(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::drain);
  }

  private void drain() {
    while (true) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      task.run();
    }
  }

  /** The connection, with a transaction. Only for tasks. */
  Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = begin(replica, settings);
      connection = open;
    }
    return open;
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
    if (changesSettings.getAsBoolean()) {
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
