package org.terrace.invocation.retention;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.terrace.middleware.CallRequest;

/**
 * Retention on PostgreSQL: one round trip to begin (with the application's {@code BEGIN}), and none
 * to end, since the reply and {@code COMMIT} travel together.
 */
record PostgresDialect() implements Dialect {
  private static final String FENCED = "TR001";
  private static final String STALE = "TR002";

  /** A lock was not given within the limit of the wait. */
  private static final String LOCK_TIMEOUT = "55P03";

  /** The connection was ended because its transaction stood still: before any commit arrived. */
  private static final String IDLE_TOO_LONG = "25P03";

  /** The server is a standby. */
  private static final String READ_ONLY = "25006";

  private static final int MILLIS_IN_SECOND = 1000;

  /** Any number will do, so long as nobody else uses it. */
  private static final long SCHEMA_LOCK = 7_305_804_385_369_680_997L;

  private static final String OPEN =
      """
      WITH limits AS MATERIALIZED (
        SELECT set_config('lock_timeout', ?, true) AS lock_timeout,
               set_config('idle_in_transaction_session_timeout', ?, true) AS idle_timeout,
               set_config('application_name', ?, true) AS mark),
      key AS (
        INSERT INTO terrace_reply (client, sequence, fingerprint)
        SELECT ?, ?, ? FROM limits
          WHERE lock_timeout IS NOT NULL AND idle_timeout IS NOT NULL AND mark IS NOT NULL
        ON CONFLICT DO NOTHING RETURNING 1)
      SELECT (SELECT count(*) FROM key),
             (SELECT watermark FROM terrace_client WHERE client = ?),
             (SELECT epoch FROM terrace_epoch WHERE service = ?)\
      """;

  private static final String RETAIN_FUNCTION =
      """
      CREATE OR REPLACE FUNCTION terrace_retain(
        of_client bigint, of_sequence bigint, new_status smallint, new_body bytea,
        of_service text, at_epoch bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF at_epoch IS NOT NULL THEN
          PERFORM 1 FROM terrace_epoch e
            WHERE e.service = of_service AND e.epoch = at_epoch FOR SHARE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'epoch % of service % is over', at_epoch, of_service
              USING ERRCODE = 'TR001';
          END IF;
        END IF;
        IF current_setting('transaction_isolation') <> 'read committed' THEN
          PERFORM 1 FROM terrace_client c WHERE c.client = of_client FOR SHARE;
        END IF;
        UPDATE terrace_reply SET status = new_status, body = new_body
          WHERE client = of_client AND sequence = of_sequence AND status IS NULL
            AND (SELECT c.watermark FROM terrace_client c WHERE c.client = of_client)
                <= of_sequence;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'request %/% is below its watermark, or its key is lost', of_client, of_sequence
            USING ERRCODE = 'TR002';
        END IF;
      END $$\
      """;

  @Override
  public List<String> schema(Duration limit) {
    return List.of(
        "SET LOCAL lock_timeout = " + limit.toMillis(),
        "SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")",
        """
        CREATE TABLE IF NOT EXISTS terrace_client (
          client bigint PRIMARY KEY,
          watermark bigint NOT NULL,
          lease_until timestamptz NOT NULL)\
        """,
        """
        CREATE TABLE IF NOT EXISTS terrace_reply (
          client bigint NOT NULL,
          sequence bigint NOT NULL,
          fingerprint bytea NOT NULL,
          status smallint,
          body bytea,
          PRIMARY KEY (client, sequence)) WITH (fillfactor = 70)\
        """,
        """
        CREATE TABLE IF NOT EXISTS terrace_epoch (
          service text PRIMARY KEY,
          epoch bigint NOT NULL,
          holder text NOT NULL)\
        """,
        """
        DO $$ BEGIN
          IF to_regclass('terrace_client_lease') IS NULL THEN
            CREATE INDEX terrace_client_lease ON terrace_client (lease_until)
              WHERE watermark < 9223372036854775807;
          END IF;
        END $$\
        """,
        RETAIN_FUNCTION);
  }

  @Override
  public String weakness(Connection connection) throws SQLException {
    for (String setting : List.of("fsync", "synchronous_commit")) {
      if (Dialect.text(connection, "SHOW " + setting).equals("off")) {
        return setting + " is off: set it to on";
      }
    }
    return "";
  }

  @Override
  public String registerStatement() {
    return """
    INSERT INTO terrace_client (client, watermark, lease_until)
    VALUES (?, 1, clock_timestamp() + ? * interval '1 microsecond') ON CONFLICT DO NOTHING\
    """;
  }

  @Override
  public String retainStatement() {
    return "SELECT terrace_retain(?, ?, ?::smallint, ?, ?, ?); COMMIT";
  }

  @Override
  public String raiseEpochStatement() {
    return """
    INSERT INTO terrace_epoch (service, epoch, holder) VALUES (?, ?, ?)
    ON CONFLICT (service) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder
    WHERE terrace_epoch.epoch < excluded.epoch\
    """;
  }

  @Override
  public String acknowledgeStatement() {
    return """
    UPDATE terrace_client SET watermark = greatest(watermark, ?),
      lease_until = clock_timestamp() + ? * interval '1 microsecond' WHERE client = ?\
    """;
  }

  @Override
  public Opening open(
      Connection connection,
      CallRequest request,
      byte[] fingerprint,
      RetentionOptions options,
      SessionMark mark)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OPEN)) {
      statement.setString(1, millis(options.lockLimit()));
      statement.setString(2, millis(options.idleLimit()));
      statement.setString(3, mark.text());
      statement.setLong(4, request.identity().client());
      statement.setLong(5, request.identity().sequence());
      statement.setBytes(6, fingerprint);
      statement.setLong(7, request.identity().client());
      statement.setString(8, request.service());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Opening(
            row.getLong(1) == 1, Dialect.optionalLong(row, 2), Dialect.optionalLong(row, 3));
      }
    }
  }

  /** Takes the rows of each client by the index, whatever the planner believes of the table. */
  @Override
  public List<Watermark> delete(Connection connection, List<OldReplies> replies, int most)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            DELETE FROM terrace_reply WHERE ctid = ANY (ARRAY(
              SELECT old.ctid FROM unnest(?, ?, ?) AS c (client, beginning, ending)
              CROSS JOIN LATERAL (
                SELECT r.ctid FROM terrace_reply r
                WHERE r.client = c.client AND r.sequence >= c.beginning AND r.sequence < c.ending
                ORDER BY r.sequence LIMIT ?) old LIMIT ?))
            RETURNING client, sequence\
            """)) {
      statement.setArray(1, numbers(connection, replies, OldReplies::client));
      statement.setArray(2, numbers(connection, replies, OldReplies::from));
      statement.setArray(3, numbers(connection, replies, OldReplies::below));
      statement.setInt(4, most);
      statement.setInt(5, most);
      return Dialect.watermarks(statement);
    }
  }

  private static Array numbers(
      Connection connection, List<OldReplies> of, Function<OldReplies, Long> number)
      throws SQLException {
    return connection.createArrayOf("bigint", of.stream().map(number).toArray());
  }

  @Override
  public List<Watermark> expire(Connection connection, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            UPDATE terrace_client SET watermark = 9223372036854775807
            WHERE client = ANY (ARRAY(
              SELECT client FROM terrace_client
              WHERE lease_until < clock_timestamp() AND watermark < 9223372036854775807
              ORDER BY client LIMIT ? FOR UPDATE))
            RETURNING client, watermark\
            """)) {
      statement.setInt(1, most);
      return Dialect.watermarks(statement);
    }
  }

  @Override
  public Failure failure(SQLException exception) {
    String state = exception.getSQLState();
    if (state == null) {
      return Failure.BROKEN;
    }
    return switch (state) {
      case FENCED -> Failure.FENCED;
      case STALE -> Failure.STALE;
      case "40001", "40P01" -> Failure.CONFLICT;
      default ->
          state.startsWith("08") || state.startsWith("57P")
              ? Failure.BROKEN
              : state.startsWith("53")
                      || state.equals(IDLE_TOO_LONG)
                      || state.equals(LOCK_TIMEOUT)
                      || state.equals(READ_ONLY)
                  ? Failure.UNAVAILABLE
                  : Failure.ROLLED_BACK;
    };
  }

  @Override
  public int endStandstill(Connection connection, Duration idle, List<SessionMark> marks)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT count(pg_terminate_backend(holder.pid))
            FROM (SELECT DISTINCT unnest(pg_blocking_pids(waiter.pid)) AS pid
                  FROM pg_stat_activity waiter
                  WHERE waiter.datname = current_database() AND waiter.usename = current_user
                    AND waiter.wait_event_type = 'Lock') blocking
            JOIN pg_stat_activity holder ON holder.pid = blocking.pid
            WHERE holder.usename = current_user AND holder.state = 'idle in transaction'
              AND holder.application_name = ANY (?)
              AND holder.state_change < clock_timestamp() - make_interval(secs => ?)\
            """)) {
      statement.setArray(
          1, connection.createArrayOf("text", marks.stream().map(SessionMark::text).toArray()));
      statement.setDouble(2, seconds(idle));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  @Override
  public Duration lookPause() {
    return Duration.ZERO;
  }

  private static double seconds(Duration duration) {
    return (double) duration.toMillis() / MILLIS_IN_SECOND;
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
