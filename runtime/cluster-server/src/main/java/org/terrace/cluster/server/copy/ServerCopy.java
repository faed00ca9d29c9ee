package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The copy of all tables of the users of one server to another of the same version, whose own are
 * lost by it. Whatever is not a table, a view, an index, a constraint, a sequence, an enumeration,
 * a trigger or a function is not copied. Memory is bounded by the longest rows. A copy that ends by
 * an exception has left a part of itself, and must begin again. Immutable.
 */
public sealed interface ServerCopy permits PostgresCopy, MariaDbCopy {

  /** The copy between servers of PostgreSQL, by COPY of pgjdbc. */
  static ServerCopy postgres() {
    return new PostgresCopy();
  }

  /** The copy between servers of MariaDB, by a streamed query and batches for each table. */
  static ServerCopy mariaDb() {
    return new MariaDbCopy();
  }

  /**
   * Begins a transaction of the donor that sees one state of it to its end; whoever asks on this
   * connection what the state is gets what {@link #copy} will copy.
   */
  void beginSnapshot(Connection donor) throws SQLException;

  /**
   * Copies.
   *
   * @param donor a connection whose snapshot has begun
   * @param target a connection in auto-commit, of the role that owns the tables there
   * @param sameSchema whether both have the same definitions, so that only rows are copied
   * @return how many rows were copied
   * @throws SQLException when a server fails or a definition cannot be made
   */
  long copy(Connection donor, Connection target, boolean sameSchema) throws SQLException;
}
