package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.terrace.middleware.CallRequest;

/**
 * Retention on MariaDB: one round trip to begin, and none to end, since the procedure that stores
 * the reply commits.
 *
 * <p>A copy that meets the key of another transaction waits for its end: then its own insert fails
 * as a duplicate, or succeeds. Several copies that wait for one that is rolled back may be in a
 * deadlock, of which InnoDB lets one go on; the others try again. Limits of time are whole seconds
 * here, rounded up, and stay set on the connection.
 */
record MariaDbDialect() implements Dialect {
  private static final String FENCED = "45001";
  private static final String STALE = "45002";

  /**
   * InnoDB has rolled back the whole transaction, key and all, for a deadlock that the work did not
   * pass on, and what the work did since is in a new one. Nobody has the key now, or a copy that
   * has its reply.
   */
  private static final String KEY_LOST = "45003";

  /** InnoDB shows who waited for whom when somebody first looked, until nobody looks for 100 ms. */
  private static final Duration LOOK_PAUSE = Duration.ofMillis(110);

  private static final int DUPLICATE_KEY = 1062;
  private static final int LOCK_TIMEOUT = 1205;
  private static final int TOO_MANY_CONNECTIONS = 1040;
  private static final int DEADLOCK = 1213;
  private static final int RECORD_CHANGED = 1020;
  private static final int SERVER_SHUTDOWN = 1053;
  private static final int CONNECTION_KILLED = 1927;

  private static final String OPEN_PROCEDURE =
      """
      CREATE PROCEDURE IF NOT EXISTS terrace_open_marked(
        of_client BIGINT, of_sequence BIGINT, new_fingerprint BINARY(32),
        of_service VARCHAR(255) CHARACTER SET utf8mb4, lock_seconds INT, idle_seconds INT,
        of_mark VARCHAR(40) CHARACTER SET ascii)
      BEGIN
        IF @terrace_mark IS NULL OR @terrace_mark <> of_mark THEN
          BEGIN
            DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
            DO RELEASE_LOCK(CONCAT(IFNULL(@terrace_mark, ''), ':', CONNECTION_ID()));
            DO GET_LOCK(CONCAT(of_mark, ':', CONNECTION_ID()), 0);
          END;
          SET @terrace_mark = of_mark;
        END IF;
        SET SESSION innodb_lock_wait_timeout = lock_seconds;
        SET SESSION idle_transaction_timeout = idle_seconds;
        INSERT INTO terrace_reply (client, sequence, fingerprint)
          VALUES (of_client, of_sequence, new_fingerprint);
        SELECT (SELECT c.watermark FROM terrace_client c WHERE c.client = of_client),
               (SELECT e.epoch FROM terrace_epoch e WHERE e.service = of_service);
      END\
      """;

  private static final String RETAIN_PROCEDURE =
      """
      CREATE PROCEDURE IF NOT EXISTS terrace_retain_once(
        of_client BIGINT, of_sequence BIGINT, new_status SMALLINT, new_body LONGBLOB,
        of_service VARCHAR(255) CHARACTER SET utf8mb4, at_epoch BIGINT)
      BEGIN
        DECLARE found_epoch BIGINT DEFAULT NULL;
        DECLARE found_watermark BIGINT DEFAULT NULL;
        IF at_epoch IS NOT NULL THEN
          SELECT e.epoch INTO found_epoch FROM terrace_epoch e
            WHERE e.service = of_service LOCK IN SHARE MODE;
          IF found_epoch IS NULL OR found_epoch <> at_epoch THEN
            SIGNAL SQLSTATE '45001' SET MESSAGE_TEXT = 'the epoch of the service is over';
          END IF;
        END IF;
        SELECT c.watermark INTO found_watermark FROM terrace_client c
          WHERE c.client = of_client LOCK IN SHARE MODE;
        IF found_watermark IS NULL OR found_watermark > of_sequence THEN
          SIGNAL SQLSTATE '45002' SET MESSAGE_TEXT = 'the request is below its watermark';
        END IF;
        UPDATE terrace_reply r SET r.status = new_status, r.body = new_body
          WHERE r.client = of_client AND r.sequence = of_sequence AND r.status IS NULL;
        IF ROW_COUNT() <> 1 THEN
          SIGNAL SQLSTATE '45003' SET MESSAGE_TEXT = 'the transaction that took the key is gone';
        END IF;
        COMMIT;
      END\
      """;

  @Override
  public List<String> schema(Duration limit) {
    return List.of(
        "SET SESSION lock_wait_timeout = " + wholeSeconds(limit),
        """
        CREATE TABLE IF NOT EXISTS terrace_client (
          client BIGINT PRIMARY KEY,
          watermark BIGINT NOT NULL,
          lease_until DATETIME(6) NOT NULL) ENGINE=InnoDB\
        """,
        """
        CREATE TABLE IF NOT EXISTS terrace_reply (
          client BIGINT NOT NULL,
          sequence BIGINT NOT NULL,
          fingerprint BINARY(32) NOT NULL,
          status SMALLINT,
          body LONGBLOB,
          PRIMARY KEY (client, sequence)) ENGINE=InnoDB\
        """,
        """
        CREATE TABLE IF NOT EXISTS terrace_epoch (
          service VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY,
          epoch BIGINT NOT NULL,
          holder VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL) ENGINE=InnoDB\
        """,
        // A client that was forgotten leaves the part of the index that is looked through.
        "CREATE INDEX IF NOT EXISTS terrace_client_lease ON terrace_client (lease_until)",
        OPEN_PROCEDURE,
        RETAIN_PROCEDURE,
        "SET SESSION lock_wait_timeout = DEFAULT");
  }

  @Override
  public String weakness(Connection connection) throws SQLException {
    String flush = Dialect.text(connection, "SELECT @@innodb_flush_log_at_trx_commit");
    return flush.equals("1") ? "" : "innodb_flush_log_at_trx_commit is " + flush + ": set it to 1";
  }

  @Override
  public String registerStatement() {
    return """
    INSERT IGNORE INTO terrace_client (client, watermark, lease_until)
    VALUES (?, 1, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)\
    """;
  }

  @Override
  public String retainStatement() {
    return "CALL terrace_retain_once(?, ?, ?, ?, ?, ?)";
  }

  @Override
  public String raiseEpochStatement() {
    return """
    INSERT INTO terrace_epoch (service, epoch, holder) VALUES (?, ?, ?)
    ON DUPLICATE KEY UPDATE
      holder = IF(epoch < VALUES(epoch), VALUES(holder), holder),
      epoch = GREATEST(epoch, VALUES(epoch))\
    """;
  }

  @Override
  public String acknowledgeStatement() {
    return """
    UPDATE terrace_client SET watermark = GREATEST(watermark, ?),
      lease_until = IF(watermark = 9223372036854775807, lease_until,
        UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)
    WHERE client = ?\
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
    try (PreparedStatement statement =
        connection.prepareStatement("CALL terrace_open_marked(?, ?, ?, ?, ?, ?, ?)")) {
      statement.setLong(1, request.identity().client());
      statement.setLong(2, request.identity().sequence());
      statement.setBytes(3, fingerprint);
      statement.setString(4, request.service());
      statement.setLong(5, wholeSeconds(options.lockLimit()));
      statement.setLong(6, wholeSeconds(options.idleLimit()));
      statement.setString(7, mark.text());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Opening(true, Dialect.optionalLong(row, 1), Dialect.optionalLong(row, 2));
      }
    } catch (SQLException e) {
      if (e.getErrorCode() == DUPLICATE_KEY) {
        return new Opening(false, OptionalLong.empty(), OptionalLong.empty());
      }
      throw e;
    }
  }

  @Override
  public List<Watermark> delete(Connection connection, List<OldReplies> replies, int most)
      throws SQLException {
    lockNoGaps(connection);
    List<Watermark> deleted = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            DELETE FROM terrace_reply WHERE client = ? AND sequence >= ? AND sequence < ?
            ORDER BY sequence LIMIT ? RETURNING client, sequence\
            """)) {
      for (OldReplies each : replies) {
        if (deleted.size() < most) {
          statement.setLong(1, each.client());
          statement.setLong(2, each.from());
          statement.setLong(3, each.below());
          statement.setInt(4, most - deleted.size());
          deleted.addAll(Dialect.watermarks(statement));
        }
      }
    }
    return deleted;
  }

  @Override
  public List<Watermark> expire(Connection connection, int most) throws SQLException {
    lockNoGaps(connection);
    List<Watermark> over;
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT client, 9223372036854775807 FROM terrace_client
            WHERE lease_until < UTC_TIMESTAMP(6) AND watermark < 9223372036854775807
            ORDER BY lease_until LIMIT ? FOR UPDATE\
            """)) {
      statement.setInt(1, most);
      over = Dialect.watermarks(statement);
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            UPDATE terrace_client
            SET watermark = 9223372036854775807, lease_until = '9999-12-31 00:00:00'
            WHERE client = ?\
            """)) {
      for (Watermark each : over) {
        statement.setLong(1, each.client());
        statement.executeUpdate();
      }
    }
    return over;
  }

  @Override
  public Failure failure(SQLException exception) {
    String state = exception.getSQLState();
    int code = exception.getErrorCode();
    if (code == DEADLOCK || code == RECORD_CHANGED) {
      return Failure.CONFLICT;
    }
    if (state == null
        || state.startsWith("08")
        || code == CONNECTION_KILLED
        || code == SERVER_SHUTDOWN) {
      return Failure.BROKEN;
    }
    if (code == LOCK_TIMEOUT || code == TOO_MANY_CONNECTIONS) {
      return Failure.UNAVAILABLE;
    }
    return switch (state) {
      case FENCED -> Failure.FENCED;
      case STALE, KEY_LOST -> Failure.STALE;
      default -> Failure.ROLLED_BACK;
    };
  }

  @Override
  public int endStandstill(Connection connection, Duration idle, List<SessionMark> marks)
      throws SQLException {
    List<Long> holders = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT DISTINCT holder.trx_mysql_thread_id
            FROM information_schema.innodb_lock_waits wait
            JOIN information_schema.innodb_trx holder ON holder.trx_id = wait.blocking_trx_id
            JOIN information_schema.processlist session ON session.id = holder.trx_mysql_thread_id
            WHERE session.command = 'Sleep' AND session.time_ms > ?
              AND session.user = SUBSTRING_INDEX(CURRENT_USER(), '@', 1)\
            """)) {
      statement.setLong(1, idle.toMillis());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          holders.add(row.getLong(1));
        }
      }
    }
    int ended = 0;
    for (long holder : holders) {
      if (hasMark(connection, holder, marks)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("KILL " + holder);
        }
        ended++;
      }
    }
    return ended;
  }

  /** A session's mark is a lock by a name that no other session takes. */
  private static boolean hasMark(Connection connection, long session, List<SessionMark> marks)
      throws SQLException {
    for (SessionMark mark : marks) {
      try (PreparedStatement statement = connection.prepareStatement("SELECT IS_USED_LOCK(?)")) {
        statement.setString(1, mark.text() + ":" + session);
        try (ResultSet row = statement.executeQuery()) {
          if (row.next() && row.getLong(1) == session) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @Override
  public Duration lookPause() {
    return LOOK_PAUSE;
  }

  /** At REPEATABLE READ a deletion would lock the gaps into which calls insert their keys. */
  private static void lockNoGaps(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
  }

  private static long wholeSeconds(Duration limit) {
    return limit.plusMillis(999).toSeconds();
  }
}
