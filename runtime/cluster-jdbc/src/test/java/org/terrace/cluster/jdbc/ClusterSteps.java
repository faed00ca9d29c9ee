package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.testing.Await;

/** Steps that tests of a cluster take through its data source. Stateless. */
final class ClusterSteps {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  private ClusterSteps() {}

  /** Waits until so many servers are out. */
  static void awaitLosses(ClusterDataSource source, int count) {
    assertThat(Await.until(LONGEST, () -> source.losses().size() == count))
        .as(() -> "losses: " + source.losses())
        .isTrue();
  }

  /** Does a statement on a connection of its own. */
  static void execute(ClusterDataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The SQLState in which a deed fails. */
  static String stateOf(FailingDeed deed) {
    try {
      deed.run();
      return "it was done";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }
}
