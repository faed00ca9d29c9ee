package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Numbers of sequences, identity and AUTO_INCREMENT columns over two real servers whose own
 * counters are moved apart behind the cluster's back: a server that numbered a row by itself would
 * differ from the other.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ClusterNumbersTest {
  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final String ITEMS = "SELECT id, note FROM item ORDER BY id";

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void numbersAreTheSameEverywhereAndNoneIsGivenTwice(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (RealReplicas replicas = RealReplicas.start(engine, 2)) {
      String log = "?log=" + directory.resolve(engine);
      Set<Long> given = new HashSet<>();
      try (ClusterDataSource source = replicas.open(log)) {
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement()) {
          makeTables(statement, postgres);
          moveApart(replicas, postgres);
          keysAreTold(connection, given);
          everyFormOfInsertIsNumbered(statement, postgres);
          RandomDefaults.write(connection, replicas, postgres);
          undoneNumbersAreGaps(connection, given);
          sequencesGiveEachNumberOnce(connection, source);
          whatCannotBeNumberedIsRefused(statement);
        }
        assertThat(source.losses()).isEmpty();
        aServerReturnsBehindAllNumbers(source, replicas, given);
      }
      anotherOwnerGoesOn(replicas, log, given);
    }
  }

  private static void makeTables(Statement statement, boolean postgres) throws SQLException {
    String number = postgres ? "BIGSERIAL" : "BIGINT AUTO_INCREMENT";
    statement.execute("CREATE TABLE item (id " + number + " PRIMARY KEY, note VARCHAR(20))");
    statement.execute("CREATE SEQUENCE hundreds START WITH 100 INCREMENT BY 100");
    statement.execute("CREATE SEQUENCE plain");
    if (postgres) {
      statement.execute(
          "CREATE TABLE strict (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note TEXT)");
    } else {
      statement.execute(
          "CREATE TABLE strict (id INT DEFAULT NEXTVAL(plain) PRIMARY KEY, note TEXT)");
    }
  }

  /** Servers whose counters differ number rows otherwise, unless they are told the numbers. */
  private static void moveApart(RealReplicas replicas, boolean postgres) throws SQLException {
    try (Connection direct = replicas.direct(1);
        Statement statement = direct.createStatement()) {
      if (postgres) {
        statement.execute("SELECT nextval('item_id_seq'), nextval('strict_id_seq')");
        statement.execute("SELECT nextval('item_id_seq'), nextval('hundreds')");
      } else {
        statement.execute("INSERT INTO item (id, note) VALUES (2, 'gone')");
        statement.execute("DELETE FROM item");
        statement.execute("SELECT NEXTVAL(plain), NEXTVAL(hundreds)");
      }
    }
  }

  private static void keysAreTold(Connection connection, Set<Long> given) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO item (note) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, "alone");
      insert.executeUpdate();
      List<Long> first = keys(insert);
      assertThat(first).hasSize(1).allMatch(key -> key >= 3);
      for (int i = 0; i < 3; i++) {
        insert.setString(1, "batch " + i);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(3);
      List<Long> batch = keys(insert);
      for (int i = 0; i < 3; i++) {
        String query = "SELECT note FROM item WHERE id = " + batch.get(i);
        assertThat(RealReplicas.rows(connection, query)).isEqualTo("batch " + i + "\n");
      }
      first.forEach(key -> assertThat(given.add(key)).isTrue());
      batch.forEach(key -> assertThat(given.add(key)).isTrue());
    }
  }

  private static List<Long> keys(Statement statement) throws SQLException {
    List<Long> keys = new ArrayList<>();
    try (ResultSet rows = statement.getGeneratedKeys()) {
      while (rows.next()) {
        keys.add(rows.getLong(1));
      }
    }
    return keys;
  }

  private static void everyFormOfInsertIsNumbered(Statement statement, boolean postgres)
      throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("INSERT INTO item (note) VALUES ('x'), ('y') RETURNING id")) {
      assertThat(rows.next()).isTrue();
      long first = rows.getLong(1);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(first + 1);
    }
    statement.execute("INSERT INTO item VALUES (DEFAULT, 'default')");
    statement.execute("INSERT INTO strict (note) VALUES ('a'), ('b')");
    if (postgres) {
      statement.execute("INSERT INTO item DEFAULT VALUES");
      statement.execute("INSERT INTO strict DEFAULT VALUES");
      statement.execute("INSERT INTO strict VALUES (DEFAULT, 'c')");
    } else {
      statement.execute("INSERT INTO item VALUES (NULL, 'null'), (0, 'zero')");
      assertThatThrownBy(() ->
              statement.executeUpdate(
                  "INSERT INTO item (note) VALUES ('a'), ('b')", Statement.RETURN_GENERATED_KEYS))
          .hasMessageContaining("RETURNING");
      statement.execute("INSERT INTO strict (id, note) VALUES (NEXT VALUE FOR plain, 'next')");
      statement.execute("INSERT INTO item (id, note) VALUES (40, 'forty')");
      statement.execute("INSERT INTO item (note) VALUES ('behind forty')");
      assertThat(RealReplicas.rows(statement.getConnection(), ITEMS)).contains("41|behind forty");
      try (PreparedStatement insert =
          statement.getConnection().prepareStatement("INSERT INTO item VALUES (?, ?)")) {
        insert.setNull(1, Types.BIGINT);
        insert.setString(2, "null");
        insert.addBatch();
        insert.setLong(1, 60);
        insert.setString(2, "sixty");
        insert.addBatch();
        insert.setLong(1, 0);
        insert.setString(2, "behind sixty");
        insert.addBatch();
        insert.executeBatch();
      }
      assertThat(RealReplicas.rows(statement.getConnection(), ITEMS))
          .contains("42|null")
          .contains("60|sixty")
          .contains("61|behind sixty");
    }
  }

  private static void undoneNumbersAreGaps(Connection connection, Set<Long> given)
      throws SQLException {
    connection.setAutoCommit(false);
    long undone = insert(connection, "undone");
    assertThat(given.add(undone)).isTrue();
    connection.rollback();
    assertThat(given.add(insert(connection, "kept"))).isTrue();
    connection.commit();
    connection.setAutoCommit(true);
    assertThat(RealReplicas.rows(connection, ITEMS)).doesNotContain("undone").contains("kept");
  }

  private static long insert(Connection connection, String note) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO item (note) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, note);
      insert.executeUpdate();
      return keys(insert).getFirst();
    }
  }

  private static void sequencesGiveEachNumberOnce(Connection connection, ClusterDataSource source)
      throws Exception {
    int clients = 4;
    int each = 20;
    List<Long> numbers = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Long>>> futures = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        futures.add(executor.submit(() -> client(source, each)));
      }
      for (Future<List<Long>> future : futures) {
        numbers.addAll(future.get());
      }
    }
    long first = numbers.stream().mapToLong(number -> number).min().orElseThrow();
    assertThat(first).isGreaterThan(100);
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, numbers.size()).map(i -> first + i * 100).boxed().toList());

    connection.setReadOnly(true);
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> nextHundred(statement)).hasMessageContaining("read-only");
    }
    connection.setReadOnly(false);
  }

  /** Takes numbers and inserts rows, in transactions of which some are undone. */
  private static List<Long> client(ClusterDataSource source, int count) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < count; i++) {
        numbers.add(nextHundred(statement));
        statement.executeUpdate("INSERT INTO item (note) VALUES ('many')");
        if (i % 5 == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
    return numbers;
  }

  private static long nextHundred(Statement statement) throws SQLException {
    boolean postgres =
        statement.getConnection().getMetaData().getDatabaseProductName().equals("PostgreSQL");
    String name = postgres ? "'hundreds'" : "hundreds";
    try (ResultSet rows = statement.executeQuery("SELECT nextval(" + name + ")")) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private static void whatCannotBeNumberedIsRefused(Statement statement) {
    for (String refused :
        List.of(
            "INSERT INTO item (note) SELECT note FROM item",
            "UPDATE item SET id = DEFAULT WHERE id = 3")) {
      assertThatThrownBy(() -> statement.execute(refused))
          .as(refused)
          .hasMessageContaining("each replica would")
          .hasMessageContaining("Instead: ");
    }
  }

  /** Numbers that were given while a server was away are behind it when it is alone. */
  private static void aServerReturnsBehindAllNumbers(
      ClusterDataSource source, RealReplicas replicas, Set<Long> given) throws Exception {
    long last;
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      replicas.kill(1);
      assertThat(Await.until(LONGEST, () -> source.losses().containsKey(replicas.place(1))))
          .isTrue();
      connection.setAutoCommit(false);
      last = nextHundred(statement);
      connection.rollback();
      assertThat(given.add(insert(connection, "while away"))).isTrue();
      connection.commit();
    }
    replicas.startAgain(1);
    assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
    List<String> everywhere = replicas.everywhere(ITEMS, 0, 1);
    assertThat(everywhere.getFirst()).isEqualTo(everywhere.getLast());
    replicas.kill(0);
    assertThat(Await.until(LONGEST, () -> source.losses().containsKey(replicas.place(0)))).isTrue();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(nextHundred(statement)).isGreaterThan(last);
      assertThat(given.add(insert(connection, "alone"))).isTrue();
    }
    replicas.startAgain(0);
    assertThat(Await.until(LONGEST, () -> source.losses().isEmpty()))
        .as(() -> "losses: " + source.losses())
        .isTrue();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      given.add(-nextHundred(statement));
    }
  }

  /**
   * Checks that the next owner goes on behind the numbers that the last one left over, as a gap.
   */
  private static void anotherOwnerGoesOn(RealReplicas replicas, String log, Set<Long> given)
      throws SQLException {
    long last = -given.stream().mapToLong(number -> number).min().orElseThrow();
    try (ClusterDataSource source = replicas.open(log);
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(nextHundred(statement)).isGreaterThan(last);
      assertThat(given.add(insert(connection, "next owner"))).isTrue();
      assertThat(source.losses()).isEmpty();
    }
    for (String query : List.of(ITEMS, "SELECT id, note FROM strict ORDER BY id")) {
      List<String> everywhere = replicas.everywhere(query, 0, 1);
      assertThat(new HashSet<>(everywhere)).as(query).hasSize(1);
    }
    assertThat(replicas.everywhere("SELECT count(*) FROM strict", 0).getFirst())
        .isNotEqualTo("0\n");
  }
}
