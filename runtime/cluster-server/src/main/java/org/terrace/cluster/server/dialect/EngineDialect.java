package org.terrace.cluster.server.dialect;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.copy.ServerCopy;
import org.terrace.cluster.sql.Engine;

/** The requests of the cluster to a server, in that server's own words. */
public sealed interface EngineDialect permits PostgresEngineDialect, MariaDbEngineDialect {

  /** The dialect of an engine. */
  static EngineDialect of(Engine engine) {
    return switch (engine) {
      case POSTGRESQL -> PostgresEngineDialect.INSTANCE;
      case MARIADB -> MariaDbEngineDialect.INSTANCE;
    };
  }

  /** The engine whose words these are. */
  Engine engine();

  /** The statement that bounds waits for the server's own locks, for a session. */
  String lockWait(Duration limit);

  /** The name of one of the cluster's own tables. */
  String own(String table);

  /** The statements that make the cluster's own tables where they are missing. */
  List<String> makeOwn();

  /**
   * The statements that write a position, if the epoch still holds, and keep the epoch as it is
   * until the transaction ends. The last one's count says whether it did.
   */
  String mark(String applied, String owner, long position, long epoch);

  /** The statements that wait for all transactions that keep the epoch, and let no more begin. */
  List<String> lockOwn(String owner);

  /** The query for the sessions that may hold up {@link #lockOwn}. */
  String sessionsInTheWay();

  /** The statement that ends a session. */
  String endSession(String session);

  /** The moment of the server's clock, as an expression. */
  String clock();

  /** The whole milliseconds since a moment of the server's clock, as an expression. */
  String millisSince(String moment);

  /** The query whose only row has an expression in each column, as text. */
  String asText(List<String> expressions);

  /** The query for the name by which every session calls a sequence that one session names so. */
  String sequenceName(String sequence);

  /**
   * The query for the next number of a sequence or counter, the step to the one after it, and the
   * last that there may be.
   */
  String sequencePosition(String sequence);

  /** The statement after which a sequence goes on behind a number. */
  String advanceSequence(String sequence, BigInteger number);

  /** Reads the schema, without the cluster's own tables. */
  SchemaSnapshot schema(Connection connection) throws SQLException;

  /** The copy of another server's tables. */
  ServerCopy copy();

  /** Whether a definition ends the transaction in which it is executed. */
  boolean definitionsCommit();

  /**
   * The query for the session of this database that does what commits by itself, piece by piece, or
   * is about to.
   */
  String sessionsDefining();

  /** The query by which a session becomes that one; its only value is 1 if it is. */
  String beginDefining(Duration limit);

  /** The query by which it is that one no longer. */
  String endDefining();

  /** The rows of a query, as texts. */
  static List<List<@Nullable String>> rows(Connection connection, String query)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<List<@Nullable String>> rows = new ArrayList<>();
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }
}
