package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.terrace.cluster.server.connection.TrackedConnection;

/**
 * The copy between servers of PostgreSQL. Foreign keys are taken away before the rows and put back
 * behind them, which checks them: only a superuser could leave them and not have them checked row
 * by row.
 */
record PostgresCopy() implements ServerCopy {
  /** The pieces of COPY are of one row each: so many are sent at a time. */
  private static final int BYTES_AT_ONCE = 65_536;

  @Override
  public void beginSnapshot(Connection donor) throws SQLException {
    donor.setAutoCommit(false);
    donor.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    donor.setReadOnly(true);
    // The first query takes the snapshot.
    ShortStatements.execute(donor, "SELECT 1");
  }

  @Override
  public long copy(Connection donor, Connection target, boolean sameSchema) throws SQLException {
    PostgresDefinitions definitions = new PostgresDefinitions(donor);
    List<String> tables = definitions.tables();
    if (sameSchema) {
      PostgresDefinitions own = new PostgresDefinitions(target);
      List<String> references = own.references();
      ShortStatements.execute(target, own.dropReferences());
      ShortStatements.execute(target, own.triggers("DISABLE"));
      if (!tables.isEmpty()) {
        ShortStatements.execute(target, "TRUNCATE " + String.join(", ", tables));
      }
      long rows = copyRows(donor, target, definitions, tables);
      ShortStatements.execute(target, own.triggers("ENABLE"));
      ShortStatements.execute(target, references);
      finish(donor, target, definitions, tables);
      return rows;
    }
    ShortStatements.execute(target, new PostgresDefinitions(target).dropAll());
    ShortStatements.execute(target, "SET check_function_bodies = off");
    ShortStatements.execute(target, definitions.beforeRows());
    long rows = copyRows(donor, target, definitions, tables);
    ShortStatements.execute(target, definitions.afterRows());
    ShortStatements.execute(target, definitions.references());
    ShortStatements.execute(target, definitions.triggers());
    finish(donor, target, definitions, tables);
    return rows;
  }

  private static long copyRows(
      Connection donor, Connection target, PostgresDefinitions definitions, List<String> tables)
      throws SQLException {
    long rows = 0;
    for (String table : tables) {
      String columns = definitions.columns(table);
      if (!columns.isEmpty()) {
        rows +=
            stream(
                donor,
                "COPY (SELECT %s FROM %s) TO STDOUT".formatted(columns, definitions.from(table)),
                target,
                "COPY %s (%s) FROM STDIN".formatted(table, columns));
      }
    }
    return rows;
  }

  private static long stream(Connection donor, String out, Connection target, String in)
      throws SQLException {
    CopyOut reading = TrackedConnection.piece(donor, () -> manager(donor).copyOut(out));
    CopyIn writing = null;
    try {
      writing = TrackedConnection.piece(target, () -> manager(target).copyIn(in));
      byte[] together = new byte[BYTES_AT_ONCE];
      int filled = 0;
      for (byte[] piece = read(donor, reading); piece != null; piece = read(donor, reading)) {
        if (filled + piece.length > together.length) {
          write(target, writing, together, filled);
          filled = 0;
        }
        if (piece.length > together.length) {
          write(target, writing, piece, piece.length);
        } else {
          System.arraycopy(piece, 0, together, filled, piece.length);
          filled += piece.length;
        }
      }
      write(target, writing, together, filled);
      return TrackedConnection.piece(target, writing::endCopy);
    } finally {
      // An end that is none: the server forgets what was written of it.
      if (writing != null && writing.isActive()) {
        writing.cancelCopy();
      }
      if (reading.isActive()) {
        reading.cancelCopy();
      }
    }
  }

  private static byte @Nullable [] read(Connection donor, CopyOut reading) throws SQLException {
    return TrackedConnection.piece(donor, reading::readFromCopy);
  }

  private static void write(Connection target, CopyIn writing, byte[] bytes, int count)
      throws SQLException {
    boolean _ =
        TrackedConnection.piece(
            target,
            () -> {
              writing.writeToCopy(bytes, 0, count);
              return true;
            });
  }

  private static CopyManager manager(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private static void finish(
      Connection donor, Connection target, PostgresDefinitions definitions, List<String> tables)
      throws SQLException {
    for (String sequence : definitions.sequences()) {
      List<@Nullable String> position =
          ShortStatements.rows(donor, "SELECT last_value, is_called FROM " + sequence).getFirst();
      ShortStatements.execute(
          target,
          "SELECT setval(%s, %s, '%s')"
              .formatted(
                  PostgresDefinitions.literal(sequence),
                  ShortStatements.text(position, 0),
                  ShortStatements.text(position, 1)));
    }
    for (String table : tables) {
      ShortStatements.execute(target, "ANALYZE " + table);
    }
  }
}
