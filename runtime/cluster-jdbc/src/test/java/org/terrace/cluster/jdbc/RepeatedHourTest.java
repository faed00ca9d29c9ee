package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * Moments that a cluster of real servers writes in the hour that comes twice when clocks go back:
 * each is the present one, not one an hour away that the local time is the same at.
 */
@Tag("real-processes")
@Tag("untimed")
class RepeatedHourTest {
  /** The rows with a wrong moment: MariaDB keeps each exactly, and no local time. */
  private static final String WRONG =
      "SELECT id, at, other, changed FROM moment WHERE ABS(UNIX_TIMESTAMP(at) - UNIX_TIMESTAMP())"
          + " > 600 OR ABS(UNIX_TIMESTAMP(other) - UNIX_TIMESTAMP()) > 600"
          + " OR ABS(UNIX_TIMESTAMP(changed) - UNIX_TIMESTAMP()) > 600";

  @Test
  void everyMomentIsThePresentOne() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("mariadb", 2)) {
      for (String zone : List.of("Autumn/Before", "Autumn/After")) {
        try (ClusterDataSource source =
                replicas.open("?driver.sessionVariables=time_zone='" + zone + "'");
            Connection connection = source.getConnection()) {
          write(connection);
          assertThat(replicas.everywhere(WRONG, 0, 1)).as(zone).containsExactly("", "");
          ClusterSteps.execute(
              source, "INSERT INTO moment (id, note) SELECT id + 4, 'x' FROM moment WHERE id = 1");
          assertThat(replicas.everywhere(WRONG, 0, 1)).as(zone).containsExactly("", "");
          List<String> rows = replicas.everywhere("SELECT * FROM moment ORDER BY id", 0, 1);
          assertThat(rows.getFirst()).isEqualTo(rows.getLast());
          assertThat(rows.getFirst().lines()).hasSize(11);
          assertThat(source.losses()).isEmpty();
          ClusterSteps.execute(source, "DROP TABLE moment");
        }
      }
    }
  }

  private static void write(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE moment (id INT PRIMARY KEY,"
              + " at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), other TIMESTAMP NULL,"
              + " changed TIMESTAMP(6) NULL ON UPDATE CURRENT_TIMESTAMP(6), note TEXT)");
      statement.execute("INSERT INTO moment (id) VALUES (1), (2)");
      statement.execute("INSERT INTO moment (id, at, other) VALUES (3, DEFAULT, NOW())");
      statement.execute("INSERT INTO moment (id, at) VALUES (4, NULL)");
      statement.execute("UPDATE moment SET other = LOCALTIMESTAMP WHERE id = 2");
      statement.execute("UPDATE moment SET note = 'y' WHERE id = 3");
      statement.execute("INSERT INTO moment (id, note) VALUES (6, uuid()), (7, uuid())");
      statement.execute("INSERT INTO moment (id, at, other) VALUES (10, SYSDATE(6), SYSDATE())");
      statement.execute("ALTER TABLE moment ALTER other SET DEFAULT SYSDATE()");
      statement.execute("INSERT INTO moment (id) VALUES (11)");
      statement.execute("ALTER TABLE moment MODIFY other TIMESTAMP NULL DEFAULT NULL");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO moment (id, at, other) VALUES (?, ?, NOW())")) {
      for (int id = 8; id < 10; id++) {
        insert.setInt(1, id);
        insert.setNull(2, Types.TIMESTAMP);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(2);
    }
  }
}
