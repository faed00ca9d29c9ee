package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * A session that is idle within a transaction while the server is lost, and back, that it reads at.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class IdleSessionTest {
  private static final String IDLE =
      "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"SELECT id FROM kept", "INSERT INTO kept VALUES (2)"})
  void itsOldConnectionSaysNothingAgainstTheServerThatIsBack(String next) throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source =
            replicas.open("?minimumReplicas=1&log=" + directory.resolve("log"))) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO kept VALUES (1)");
      List<String> lost = new CopyOnWriteArrayList<>();
      try (Connection session = source.getConnection();
          Statement statement = session.createStatement()) {
        session.setAutoCommit(false);
        statement.executeQuery("SELECT id FROM kept").close();
        int home = replicas.everywhere(IDLE, 0, 1).indexOf("1\n");
        replicas.kill(home);
        awaitLosses(source, 1);
        replicas.startAgain(home);
        awaitLosses(source, 0);
        source.listen(listener(lost));

        statement.execute(next);
        session.commit();
      }
      assertThat(lost).isEmpty();
      assertThat(source.losses()).isEmpty();
    }
  }

  private static ReplicaListener listener(List<String> lost) {
    return new ReplicaListener() {
      @Override
      public void lost(String replica, String reason) {
        lost.add(replica + ": " + reason);
      }

      @Override
      public void returned(String replica) {}
    };
  }
}
