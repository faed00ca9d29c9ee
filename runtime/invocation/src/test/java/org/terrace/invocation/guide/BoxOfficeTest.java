package org.terrace.invocation.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.retention.PostgresDatabase;

/** The example of the guide runs, and the guide shows what runs. */
@Tag("real-processes")
@Tag("untimed")
class BoxOfficeTest {
  @Test
  void theExampleFailsOverAndSellsEachSeatOnce() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.start();
        HikariDataSource pool = database.pool(4)) {
      try (var connection = pool.getConnection();
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE seats (free int NOT NULL)");
        statement.execute("INSERT INTO seats VALUES (10)");
        connection.commit();
      }
      assertThat(BoxOffice.sellThroughFailOver(pool)).isEqualTo(5);
    }
  }
}
