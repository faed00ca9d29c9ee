package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.terrace.cluster.server.connection.ServerSession;
import org.terrace.cluster.server.connection.SessionActivity;
import org.terrace.cluster.sql.Engine;

/**
 * The sessions of a server as it lists them itself. A server that refuses to tell, or does not come
 * to it, has told nothing; the loss of the connection alone is thrown.
 */
enum ServerSessions {
  /** The backends of PostgreSQL, by their processes and the microseconds at which they began. */
  POSTGRESQL(
      "pid, CAST(extract(epoch FROM backend_start) * 1000000 AS bigint)",
      "pg_stat_activity",
      // Who tracks no activities leaves it open.
      "CASE WHEN state LIKE 'idle%' THEN 'WAITS' WHEN state <> 'active'"
          + " THEN 'WORKS' WHEN wait_event = 'ClientRead' THEN 'WAITS'"
          + " WHEN wait_event = 'ClientWrite' THEN 'SENDS' ELSE 'WORKS' END",
      "pid",
      "pg_backend_pid()") {
    @Override
    long announced(Connection connection) throws SQLException {
      return connection.unwrap(PGConnection.class).getBackendPID();
    }
  },

  /** The threads of MariaDB, by their numbers and the client's hosts and ports. */
  MARIADB(
      "id, host",
      "information_schema.processlist",
      // One that was to give up when it had nothing to do is called killed, and does nothing.
      "CASE WHEN command = 'Sleep' OR (command = 'Killed' AND info IS NULL) THEN 'WAITS'"
          + " ELSE 'WORKS' END",
      "id",
      "CONNECTION_ID()") {
    @Override
    long announced(Connection connection) throws SQLException {
      // By itself: a proxy answers it in the server's place, but nothing longer.
      List<List<@Nullable String>> rows = EngineDialect.rows(connection, "SELECT CONNECTION_ID()");
      return Long.parseLong(Objects.requireNonNull(rows.getFirst().getFirst()));
    }
  };

  private final String identity;
  private final String list;
  private final String activity;
  private final String number;
  private final String own;

  ServerSessions(String identity, String list, String activity, String number, String own) {
    this.identity = identity;
    this.list = list;
    this.activity = activity;
    this.number = number;
    this.own = own;
  }

  static ServerSessions of(Engine engine) {
    return switch (engine) {
      case POSTGRESQL -> POSTGRESQL;
      case MARIADB -> MARIADB;
    };
  }

  /** The number under which the session of a connection was announced to its client. */
  abstract long announced(Connection connection) throws SQLException;

  /**
   * The session of a connection, if the server lists it under the number that was announced:
   * between the two may be a pooler that makes numbers up, and gives one session to several.
   */
  Optional<ServerSession> of(Connection connection) throws SQLException {
    try {
      return EngineDialect.rows(
              connection,
              "SELECT %s FROM %s WHERE %s = %s AND %s = %d"
                  .formatted(identity, list, number, own, number, announced(connection)))
          .stream()
          .map(ServerSessions::session)
          .findFirst();
    } catch (SQLException e) {
      throwLoss(e);
      return Optional.empty();
    }
  }

  /** The doing of the server for each of these sessions; empty: it does not tell. */
  Optional<Map<ServerSession, SessionActivity>> activities(
      Connection asking, Collection<ServerSession> sessions) throws SQLException {
    Map<ServerSession, SessionActivity> activities = new HashMap<>();
    sessions.forEach(session -> activities.put(session, SessionActivity.ABSENT));
    String numbers =
        sessions.stream()
            .map(session -> Long.toString(session.number()))
            .collect(Collectors.joining(", "));
    try {
      for (List<@Nullable String> row :
          EngineDialect.rows(
              asking,
              "SELECT %s, %s FROM %s WHERE %s IN (%s)"
                  .formatted(identity, activity, list, number, numbers))) {
        SessionActivity told = SessionActivity.valueOf(Objects.requireNonNull(row.get(2)));
        activities.replace(session(row), told);
      }
      return Optional.of(activities);
    } catch (SQLException e) {
      throwLoss(e);
      return Optional.empty();
    }
  }

  private static ServerSession session(List<@Nullable String> row) {
    return new ServerSession(
        Long.parseLong(Objects.requireNonNull(row.get(0))), String.valueOf(row.get(1)));
  }

  private static void throwLoss(SQLException failure) throws SQLException {
    if (FailureKind.of(failure) == FailureKind.LOST) {
      throw failure;
    }
  }
}
