package org.terrace.cluster.server.memory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.FailureKind;

/**
 * The fence around what commits by itself, piece by piece, so that no epoch that is read at a
 * commit keeps it back: definitions of MariaDB, and copies.
 *
 * <p>A session takes a lock with a name, reads the epoch, does its work, and lets the lock go. Who
 * raises the epoch ends the session that has the lock, and waits until nobody has it. So the work
 * is over then, or its session is, whether the server had begun with it, had received it, or was
 * yet to receive it; and who takes the lock later reads the epoch that was raised. Immutable.
 *
 * @param tables whose epoch counts
 */
public record DefinitionFence(EngineDialect dialect, OwnTables tables) {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** A piece of work at a server. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does the work. */
    T run() throws SQLException;
  }

  /**
   * Defines something on a connection, within the fence if it would commit by itself.
   *
   * @param connection with a transaction that has done nothing yet
   * @param epoch the owner's at that server
   * @throws FencedException when the server is another owner's
   */
  public <T> T define(Connection connection, long epoch, String text, Work<T> definition)
      throws SQLException {
    return dialect.definitionsCommit()
        ? within(connection, epoch, () -> remembered(connection, text, definition))
        : definition.run();
  }

  /**
   * Makes the server remember a definition before it begins, until it has failed: then nothing of
   * it stays. One that is done is forgotten with the transaction that it is of.
   */
  private <T> T remembered(Connection connection, String text, Work<T> definition)
      throws SQLException {
    tables.begin(connection, OwnTables.cut(text));
    try {
      return definition.run();
    } catch (SQLException e) {
      if (FailureKind.of(e) != FailureKind.LOST) {
        tables.forget(connection, text);
        connection.commit();
      }
      throw e;
    }
  }

  /**
   * Does a piece of work on a connection within the fence.
   *
   * @param epoch the owner's at that server
   * @throws FencedException when the server is another owner's
   */
  public <T> T within(Connection connection, long epoch, Work<T> work) throws SQLException {
    if (!only(connection, dialect.beginDefining(LONGEST)).equals("1")) {
      throw new SQLException(
          "A definition or a copy is under way there already.", SqlStates.LOCK_NOT_AVAILABLE);
    }
    T done;
    try {
      ReplicaMemory memory = tables.read(connection);
      if (memory.epoch() != epoch) {
        throw new FencedException(memory.owner());
      }
      done = work.run();
    } catch (SQLException | RuntimeException | Error e) {
      try {
        only(connection, dialect.endDefining());
      } catch (SQLException lost) {
        e.addSuppressed(lost);
      }
      throw e;
    }
    only(connection, dialect.endDefining());
    return done;
  }

  private static String only(Connection connection, String query) throws SQLException {
    return String.valueOf(EngineDialect.rows(connection, query).getFirst().getFirst());
  }
}
