package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TerraceException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/** The statements of retention in the SQL of one database. Stateless and thread-safe. */
sealed interface Dialect permits PostgresDialect, MariaDbDialect {

  /**
   * The dialect of the database behind a connection.
   *
   * @throws TerraceException for a database that is neither PostgreSQL nor MariaDB
   */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> new PostgresDialect();
      case "MariaDB" -> new MariaDbDialect();
      default ->
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "Replies are retained in PostgreSQL or MariaDB, and this database is '"
                  + product
                  + "': pass a DataSource of one of the two.");
    };
  }

  /**
   * The statements that create what is missing, to be run in one transaction, in this order.
   *
   * @param limit how long one of them may wait for a lock
   */
  List<String> schema(Duration limit);

  /**
   * The setting of the database that lets it forget commits when its host crashes, and what to set;
   * empty if it forgets none.
   */
  String weakness(Connection connection) throws SQLException;

  /** The first column of the only row of a query, as a text. */
  static String text(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  /** Adds a client unless it is there: the client, its lease in microseconds. */
  String registerStatement();

  /**
   * Stores a reply and commits: the client, the sequence, the status, the body, the service, the
   * epoch or null.
   */
  String retainStatement();

  /** Puts an epoch in force unless one as high is: the service, the epoch, its holder. */
  String raiseEpochStatement();

  /** Raises a watermark and renews a lease: the watermark, microseconds, the client. */
  String acknowledgeStatement();

  /** Adds a client unless it is there; commits. */
  default void register(Connection connection, long client, Duration lease) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(registerStatement())) {
      statement.setLong(1, client);
      statement.setLong(2, TimeUnit.NANOSECONDS.toMicros(lease.toNanos()));
      statement.executeUpdate();
    }
    connection.commit();
  }

  /**
   * Begins the transaction of a call under the mark of its replica: takes the key, or waits for the
   * one who has it.
   */
  Opening open(
      Connection connection,
      CallRequest request,
      byte[] fingerprint,
      RetentionOptions options,
      SessionMark mark)
      throws SQLException;

  /** The reply retained for a request, seen by a new statement; empty if there is none. */
  default Optional<StoredReply> stored(Connection connection, RequestIdentity identity)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT fingerprint, status, body FROM terrace_reply WHERE client = ? AND sequence = ?")) {
      statement.setLong(1, identity.client());
      statement.setLong(2, identity.sequence());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new StoredReply(
                    row.getBytes(1),
                    row.getObject(2) == null
                        ? null
                        : new CallReply(StoredReply.statusOf(row.getInt(2)), row.getBytes(3))))
            : Optional.empty();
      }
    }
  }

  /**
   * Stores the reply beside the key that {@link #open} took and commits, unless the client's
   * watermark has passed the request, the epoch is no longer the service's, or the key is gone or
   * has a reply: then the transaction that took it was rolled back under the work.
   */
  default void retainAndCommit(
      Connection connection, CallRequest request, CallReply reply, OptionalLong epoch)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(retainStatement())) {
      statement.setLong(1, request.identity().client());
      statement.setLong(2, request.identity().sequence());
      statement.setInt(3, StoredReply.numberOf(reply.status()));
      statement.setBytes(4, reply.body());
      statement.setString(5, request.service());
      if (epoch.isPresent()) {
        statement.setLong(6, epoch.getAsLong());
      } else {
        statement.setNull(6, Types.BIGINT);
      }
      statement.execute();
    }
  }

  /** The epoch in force; empty if the service has none. */
  default Optional<PrimaryEpoch.Current> epoch(Connection connection, String service)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT epoch, holder FROM terrace_epoch WHERE service = ?")) {
      statement.setString(1, service);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new PrimaryEpoch.Current(row.getLong(1), row.getString(2)))
            : Optional.empty();
      }
    }
  }

  /** Puts an epoch in force unless one as high is; does not commit. */
  default void raiseEpoch(Connection connection, String service, long epoch, String holder)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(raiseEpochStatement())) {
      statement.setString(1, service);
      statement.setLong(2, epoch);
      statement.setString(3, holder);
      statement.executeUpdate();
    }
  }

  /** Raises watermarks and renews leases, in the order given; does not commit. */
  default void acknowledge(Connection connection, List<Watermark> clients, Duration lease)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(acknowledgeStatement())) {
      for (Watermark each : clients) {
        statement.setLong(1, each.firstIncomplete());
        statement.setLong(2, TimeUnit.NANOSECONDS.toMicros(lease.toNanos()));
        statement.setLong(3, each.client());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** The replies of a client to be deleted: from a sequence on, below another. */
  record OldReplies(long client, long from, long below) {}

  /**
   * Deletes replies, at most so many, of each client the lowest sequences first; does not commit.
   *
   * @return their sequences; fewer than the most only if none is left, or others delete them too
   */
  List<Watermark> delete(Connection connection, List<OldReplies> replies, int most)
      throws SQLException;

  /** The watermarks of clients that have replies, from a number on, in order, at most so many. */
  default List<Watermark> watermarks(Connection connection, long from, int most)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT r.client, c.watermark FROM (
              SELECT DISTINCT client FROM terrace_reply WHERE client >= ? ORDER BY client LIMIT ?) r
            LEFT JOIN terrace_client c ON c.client = r.client ORDER BY r.client\
            """)) {
      statement.setLong(1, from);
      statement.setInt(2, most);
      return watermarks(statement);
    }
  }

  /** The rows of a query for a client and its watermark. */
  static List<Watermark> watermarks(PreparedStatement query) throws SQLException {
    List<Watermark> found = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        found.add(new Watermark(row.getLong(1), row.getLong(2)));
      }
    }
    return found;
  }

  /**
   * Raises the watermarks of clients whose leases are over beyond all sequences, of at most so
   * many, and gives them; does not commit.
   */
  List<Watermark> expire(Connection connection, int most) throws SQLException;

  /**
   * Ends those sessions with these marks that block another one and whose transactions have asked
   * nothing for so long; says how many. The connection commits by itself.
   */
  int endStandstill(Connection connection, Duration idle, List<SessionMark> marks)
      throws SQLException;

  /** The least time between two such looks of which the second can see something new. */
  Duration lookPause();

  /** A column that may be null. */
  static OptionalLong optionalLong(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** The first exception of JDBC's among an exception and its causes; null if there is none. */
  static @Nullable SQLException databaseException(Throwable exception) {
    for (Throwable e = exception; e != null; e = e.getCause()) {
      if (e instanceof SQLException database) {
        return database;
      }
    }
    return null;
  }

  /** The meaning of an exception of this database. */
  Failure failure(SQLException exception);

  /** The meaning of an exception of the database for the transaction it ended. */
  enum Failure {
    /** Rolled back for the sake of another transaction: try again at once. */
    CONFLICT,
    /** Rolled back: the epoch is no longer the service's. */
    FENCED,
    /**
     * Rolled back: the client has acknowledged the reply, its lease has ended, or the transaction
     * has lost its key; a new opening tells which.
     */
    STALE,
    /** Rolled back: an error the database reported. */
    ROLLED_BACK,
    /** Rolled back: the database cannot serve this now, such as for want of connections. */
    UNAVAILABLE,
    /** The connection broke: rolled back, unless it was committing. */
    BROKEN
  }
}
