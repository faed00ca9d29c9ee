package org.terrace.invocation.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

/** Tables that cannot be made. */
@Tag("real-processes")
@Tag("untimed")
class RetentionSchemaTest {
  private static final String HOLD = "SELECT pg_advisory_lock(7305804385369680997)";
  private static final String END_WAITING =
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

  @Test
  void aDatabaseThatBreaksOffIsToldByItsOwnWords() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.start();
        HikariDataSource pool = database.pool(1);
        HikariDataSource other = database.pool(1);
        Connection holder = other.getConnection();
        Statement statement = holder.createStatement()) {
      assertThat(statement.execute(HOLD)).isTrue();
      Thread breaker = Thread.ofVirtual().start(() -> endWhoWaits(statement));

      assertThatThrownBy(() -> RetentionSchema.create(pool))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("terminating connection due to administrator command");
      breaker.join();
    }
  }

  @Test
  void whoHoldsTheTablesIsNotWaitedForForEver() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.start();
        HikariDataSource pool = database.pool(1);
        HikariDataSource other = database.pool(1);
        Connection holder = other.getConnection();
        Statement statement = holder.createStatement()) {
      assertThat(statement.execute(HOLD)).isTrue();

      assertThatThrownBy(() -> RetentionSchema.create(pool, Duration.ofMillis(100)))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("lock timeout")
          .hasMessageContaining("nobody holds these tables locked");
      try (Connection connection = pool.getConnection()) {
        assertThat(Dialect.of(connection).weakness(connection))
            .isEqualTo("fsync is off: set it to on");
      }
    }
  }

  private static void endWhoWaits(Statement statement) {
    try {
      int ended = 0;
      while (ended == 0) {
        try (var row = statement.executeQuery(END_WAITING)) {
          row.next();
          ended = row.getInt(1);
        }
        statement.getConnection().commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
