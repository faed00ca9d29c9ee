package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;

/** The places of data nodes as a real server keeps them, which need not be there. */
@Tag("real-processes")
@Tag("untimed")
class NdbLikePlacesTest {
  private static final String SQL_NODE = "127.85.3.1:3306";
  private static final List<String> HOMES = List.of("127.85.4.1:3306", "127.85.4.2:3306");

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    MariaDbOptions options = MariaDbOptions.at("127.85.3.1", 3306, "board");
    StringBuilder statements = new StringBuilder();
    for (int node = 1; node <= HOMES.size(); node++) {
      statements.append(
          "INSERT INTO mysql.servers (Server_name, Host, Db, Username, Password, Port, Socket, Wrapper, Owner) VALUES ('data%d', '127.85.4.%d', 'board', 'board', '', 3306, '', 'mysql', '%s');\n"
              .formatted(node, node, HOMES.get(node - 1)));
    }
    options
        .clientHosts()
        .forEach(hosts ->
            statements.append(
                "GRANT FEDERATED ADMIN ON *.* TO 'board'@'%1$s';\nGRANT SELECT, UPDATE ON mysql.servers TO 'board'@'%1$s';\n"
                    .formatted(hosts)));
    server = new MariaDbServer(options);
    server.initialise(statements.toString()).start();
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static NdbLikeDatabase database() throws SQLException {
    return NdbLikeDatabase.of("jdbc:mariadb:loadbalance://" + SQL_NODE + "/board", "board");
  }

  @Test
  void dataNodesKeepTheirPlacesWhenAnotherServesTheirPartitions() throws SQLException {
    NdbLikeDatabase first = database();
    assertThat(first.dataNodes()).isEqualTo(HOMES);

    first.serve(SQL_NODE, Map.of(1, HOMES.get(1), 2, HOMES.get(1)));

    assertThat(first.asked(SQL_NODE)).containsExactly(HOMES.get(1), HOMES.get(1));
    assertThat(database().dataNodes()).isEqualTo(HOMES);

    first.serve(SQL_NODE, Map.of(1, HOMES.get(0)));
    assertThat(first.asked(SQL_NODE)).containsExactly(HOMES.get(0), HOMES.get(1));
  }

  @Test
  void twoDataNodesOfOnePlaceAreRefused() throws SQLException {
    NdbLikeDatabase known = database();
    known.atSqlNodes("UPDATE mysql.servers SET Owner = '%s'".formatted(HOMES.get(0)));
    try {
      assertThatThrownBy(NdbLikePlacesTest::database)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("two data nodes of one place");
    } finally {
      known.atSqlNodes(
          "UPDATE mysql.servers SET Owner = concat('127.85.4.', substr(Server_name, 5), ':3306')");
    }
  }
}
