package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** A log whose end is lost after the servers have forgotten what all of them have. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class LostLogEndTest {
  @TempDir private Path directory;

  @Test
  void itIsMissedByServersThatHaveForgottenWhatAllHave() throws Exception {
    String log = "?log=" + directory;
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      try (ClusterDataSource source = replicas.open(log)) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        for (int id = 1; id <= 5; id++) {
          execute(source, "INSERT INTO kept VALUES (" + id + ")");
        }
      }
      // An opening brings all servers to the same, and has them forget that.
      replicas.open(log).close();
      assertThat(replicas.everywhere("SELECT count(*) FROM terrace.applied", 0, 1))
          .containsOnly("1\n");
      byte[] whole = Files.readAllBytes(file());
      for (int lost : new int[] {1, whole.length / 2}) {
        Files.write(file(), Arrays.copyOf(whole, whole.length - lost));
        assertThatThrownBy(() -> replicas.open(log))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("lost its end");
      }
      Files.write(file(), whole);
      try (ClusterDataSource source = replicas.open(log)) {
        execute(source, "INSERT INTO kept VALUES (6)");
      }
    }
  }

  private Path file() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(one -> one.toString().endsWith(".log")).findFirst().orElseThrow();
    }
  }
}
