package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Servers that end the sessions of clients which are idle in a transaction for too long. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class IdleTransactionTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Test
  void aClientThatIsIdleInATransactionTakesNoServerOut() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      for (int replica = 0; replica < 2; replica++) {
        try (Connection server = replicas.direct(replica);
            Statement statement = server.createStatement()) {
          statement.execute("CREATE TABLE kept (id INT PRIMARY KEY)");
          statement.execute("ALTER ROLE shop SET idle_in_transaction_session_timeout = 500");
        }
      }
      try (ClusterDataSource source = replicas.open("");
          Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO kept VALUES (1)");
        assertThat(Await.until(LONGEST, () -> inTransaction(replicas) == 0)).isTrue();

        assertThatThrownBy(() -> statement.execute("INSERT INTO kept VALUES (2)"))
            .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
            .extracting(SQLException::getSQLState)
            .isEqualTo("40001");
        connection.rollback();
        assertThat(source.losses()).isEmpty();
        statement.execute("INSERT INTO kept VALUES (3)");
        connection.commit();
        assertThat(source.losses()).isEmpty();
      }
      assertThat(replicas.everywhere("SELECT id FROM kept", 0, 1)).containsOnly("3\n");
    }
  }

  /** The transactions at both servers that have written. */
  private static int inTransaction(RealReplicas replicas) {
    try {
      return replicas
          .everywhere("SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL", 0, 1)
          .stream()
          .mapToInt(each -> Integer.parseInt(each.strip()))
          .sum();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
