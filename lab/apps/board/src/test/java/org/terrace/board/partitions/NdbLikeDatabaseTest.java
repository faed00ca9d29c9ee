package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows in the partitions of real data nodes, through real SQL nodes. */
@Tag("real-processes")
@Tag("untimed")
class NdbLikeDatabaseTest {
  private static final String ACCOUNTS =
      "CREATE TABLE %s (id int NOT NULL, amount int NOT NULL, PRIMARY KEY (id))";
  private static final int ROWS = 200;

  private static NdbLikeServers servers;
  private static NdbLikeDatabase database;

  @BeforeAll
  static void start() throws SQLException {
    NdbLikeServers.assumePrograms();
    servers = NdbLikeServers.start("127.91", 4, true);
    database = servers.database();
  }

  @AfterAll
  static void end() {
    if (servers != null) {
      servers.close();
    }
  }

  private static void fill(String table) throws SQLException {
    try (Connection connection = servers.sqlNode(1);
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO %s SELECT seq, 100 FROM seq_1_to_%d".formatted(table, ROWS));
    }
  }

  private static List<Long> numbers(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<Long> numbers = new ArrayList<>();
      while (rows.next()) {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          numbers.add(rows.getLong(column));
        }
      }
      return numbers;
    }
  }

  @Test
  void rowsThatOneSqlNodeWritesAreReadThroughTheOther() throws SQLException {
    database.createTables(ACCOUNTS.formatted("seen"));
    fill("seen");

    try (Connection other = servers.sqlNode(2)) {
      assertThat(numbers(other, "SELECT count(*), sum(amount) FROM seen"))
          .containsExactly((long) ROWS, 100L * ROWS);
      assertThat(numbers(other, "SELECT id FROM seen ORDER BY id"))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, ROWS).boxed().toList());
    }
  }

  @Test
  void eachDataNodeHasAPartOfTheRowsAndItsPartnerACopy() throws Exception {
    database.createTables(ACCOUNTS.formatted("shares"));
    fill("shares");

    List<Long> rows = database.rows("shares");
    assertThat(rows).hasSize(4).allMatch(part -> part > 0);
    assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
    for (int partition = 1; partition <= 4; partition++) {
      String count = "SELECT count(*) FROM shares_p" + partition;
      try (Connection partner = database.connect(database.partner(partition))) {
        try (Statement statement = partner.createStatement()) {
          // A read waits until what its group has decided is applied.
          statement.execute("SET SESSION wsrep_sync_wait = 1");
        }
        assertThat(numbers(partner, count)).containsExactly(rows.get(partition - 1));
      }
    }
  }

  /** The fault that the counts of a table's partitions show: a data node without a part. */
  @Test
  void aTableOfTooFewPartitionsLeavesADataNodeWithoutRows() throws SQLException {
    database.createTable(ACCOUNTS.formatted("few"), 3);
    fill("few");

    assertThatThrownBy(() -> database.rows("few")).hasMessageContaining("few_p4");
  }

  @Test
  void numbersOfBothSqlNodesAreNeverTheSame() throws SQLException {
    database.createSequence("numbers");
    database.advance("numbers", 1_000);

    List<Long> all = new ArrayList<>();
    try (Connection one = servers.sqlNode(1);
        Connection other = servers.sqlNode(2)) {
      for (int round = 0; round < 50; round++) {
        all.addAll(numbers(one, "SELECT nextval(numbers)"));
        all.addAll(numbers(other, "SELECT nextval(numbers)"));
      }
    }
    assertThat(all).doesNotHaveDuplicates().allMatch(number -> number > 1_000);
  }

  @Test
  void aTransactionThatIsRolledBackLeavesNothingInAnyPartition() throws SQLException {
    database.createTables(ACCOUNTS.formatted("undone"));
    try (Connection connection = servers.sqlNode(1);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO undone SELECT seq, 1 FROM seq_1_to_20");
      connection.rollback();
    }
    assertThat(database.rows("undone")).containsOnly(0L);
  }
}
