package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.KnownTables;
import org.terrace.cluster.sql.TableCatalog;

/**
 * The tables as a transaction has changed them, by which statements are judged until it is undone.
 * The client's methods are for one thread; it is undone from any, as the core's steps are.
 */
final class LearnedTables {
  private final DatabaseCluster cluster;

  // Of the core's steps alone.
  private long number;
  private @Nullable TableCatalog before;

  LearnedTables(DatabaseCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Reads the tables at a replica, and lets statements be judged by them. A definition that can be
   * undone is refused if it left a table that nothing can be written to.
   *
   * @param definition the statement that changed them; empty: they are as they were before one
   */
  KnownTables.Change<TableCatalog> read(Connection connection, String definition)
      throws SQLException {
    TableCatalog tables = cluster.dialect().schema(connection).catalog();
    if (!cluster.dialect().definitionsCommit()) {
      cluster.analyzer().checkWritable(definition, tables);
    }
    return cluster.learnTables(tables);
  }

  /** Reads the tables after a definition that stays, and whose client has left. */
  void learn(Connection connection) throws SQLException {
    KnownTables.Change<TableCatalog> _ =
        cluster.learnTables(cluster.dialect().schema(connection).catalog());
  }

  /** Notes a change, so that it can be undone. */
  void changed(KnownTables.Change<TableCatalog> change) {
    cluster
        .steps()
        .between(() -> {
          number = change.number();
          if (before == null) {
            before = change.before();
          }
          return number;
        });
  }

  /**
   * Lets statements be judged by the tables as they were, before anybody gets the locks of the
   * transaction. Where a definition commits by itself, the tables stay as they were changed.
   */
  void undo() {
    cluster
        .steps()
        .between(() -> {
          TableCatalog earlier = before;
          if (earlier != null && !cluster.dialect().definitionsCommit()) {
            cluster.unlearnTables(number, earlier);
          }
          return number;
        });
  }
}
