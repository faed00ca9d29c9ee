package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;

/**
 * Writers that wait for a definition on PostgreSQL which is rolled back: who got its locks while
 * statements are judged by the undone tables would go on by them.
 */
@Tag("real-processes")
@Tag("untimed")
class UndoneTablesTest {
  private static final int TIMES = 5;

  @Test
  void undoneTablesAreForgottenBeforeTheirLocksAreFree() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        DatabaseCluster cluster =
            DatabaseCluster.open(ClusterUrl.parse(replicas.url("?scheduling=key"), properties));
        Connection definer = new ClusterConnection(cluster, () -> {});
        Connection writer = new ClusterConnection(cluster, () -> {})) {
      execute(definer, "CREATE TABLE lot (id INT PRIMARY KEY, amount INT)");
      execute(definer, "INSERT INTO lot VALUES (1, 0)");
      definer.setAutoCommit(false);
      for (int i = 1; i <= TIMES; i++) {
        execute(definer, "ALTER TABLE lot ADD COLUMN more INT");
        AtomicLong seen = new AtomicLong();
        Thread waiting =
            Between.start(() -> {
              execute(writer, "UPDATE lot SET amount = amount + 1 WHERE id = 1");
              seen.set(cluster.catalogue());
            });
        definer.rollback();
        waiting.join();
        assertThat(seen.get()).as("changes when the writer was done").isEqualTo(1 + 2L * i);
        assertThat(cluster.catalogue()).isEqualTo(1 + 2L * i);
      }
      assertThat(amount(writer)).isEqualTo(TIMES);
    }
  }

  private static void execute(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static int amount(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT amount FROM lot")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
