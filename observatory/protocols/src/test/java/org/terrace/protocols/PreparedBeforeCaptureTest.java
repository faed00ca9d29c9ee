package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.observation.Request;
import org.terrace.observation.RequestClass;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.decoder.RecordingRelay;
import org.terrace.protocols.decoder.Script;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.WireCount;

/**
 * A pool of connections to a real database, of which the statements are prepared, each connection's
 * in an order of its own, before the capture begins. How often each is executed then is the truth.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(180)
class PreparedBeforeCaptureTest {
  private static final String ADDRESS = "127.0.0.1";
  private static final int CONNECTIONS = 3;
  private static final int SEGMENT_BYTES = 1448;
  private static final int ROUNDS = 40;

  private static final String BY_ID = "SELECT id, title, body FROM story WHERE id = ?";
  private static final String BY_TITLE = "SELECT title, body FROM story WHERE title = ?";
  private static final String COUNT = "SELECT COUNT(*) FROM story WHERE id > ?";
  private static final String USERS = "SELECT id, name FROM person WHERE id > ?";
  private static final String RENAME = "UPDATE story SET title = ?, body = ? WHERE id = ?";
  private static final String ADD = "INSERT INTO note (story, words) VALUES (?, ?)";
  private static final List<String> STATEMENTS =
      List.of(BY_ID, BY_TITLE, COUNT, USERS, RENAME, ADD);

  private final RandomGenerator random = Seeds.generator(Seeds.next("prepared-before-capture"));
  private final Map<String, Long> executed = new TreeMap<>();

  private static void fill(Connection connection, String counting) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE story (id int primary key, title varchar(99), body varchar(999))");
      statement.execute("CREATE TABLE person (id int primary key, name varchar(99))");
      statement.execute("CREATE TABLE note (id " + counting + ", story int, words varchar(99))");
      for (int i = 1; i <= 9; i++) {
        statement.execute("INSERT INTO story VALUES (" + i + ", 't" + i + "', 'body')");
        statement.execute("INSERT INTO person VALUES (" + i + ", 'name')");
      }
    }
  }

  private static void execute(PreparedStatement prepared, String sql) throws SQLException {
    switch (sql) {
      case BY_TITLE -> prepared.setString(1, "t4");
      case RENAME -> {
        prepared.setString(1, "t3");
        prepared.setString(2, "other");
        prepared.setInt(3, 3);
      }
      case ADD -> {
        prepared.setInt(1, 5);
        prepared.setString(2, "words");
      }
      default -> prepared.setInt(1, 4);
    }
    if (!prepared.execute()) {
      return;
    }
    try (ResultSet rows = prepared.getResultSet()) {
      while (rows.next()) {
        assertThat(rows.getString(1)).isNotEmpty();
      }
    }
  }

  /** One connection of the pool, with its statements. */
  private record Pooled(Connection connection, Map<String, PreparedStatement> statements) {}

  private Pooled prepare(Connection connection) throws SQLException {
    List<String> order = new ArrayList<>(STATEMENTS);
    Collections.shuffle(order, java.util.Random.from(random));
    Map<String, PreparedStatement> statements = new TreeMap<>();
    for (String sql : order) {
      PreparedStatement prepared = connection.prepareStatement(sql);
      statements.put(sql, prepared);
      for (int i = 0; i < 3; i++) {
        execute(prepared, sql);
      }
    }
    return new Pooled(connection, statements);
  }

  /** The requests of what the pool did after it was prepared, which the capture alone shows. */
  private Captures.Reading captured(int serverPort, Function<Integer, String> url, String user)
      throws Exception {
    try (RecordingRelay relay = RecordingRelay.to(serverPort)) {
      List<Pooled> pool = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        pool.add(prepare(DriverManager.getConnection(url.apply(relay.port()), user, "")));
      }
      List<Integer> before = relay.linesSoFar();
      for (int i = 0; i < ROUNDS; i++) {
        Pooled pooled = pool.get(random.nextInt(CONNECTIONS));
        String sql = STATEMENTS.get(i < STATEMENTS.size() ? i : random.nextInt(STATEMENTS.size()));
        execute(pooled.statements().get(sql), sql);
        executed.merge(sql, 1L, Long::sum);
      }
      List<Integer> after = relay.linesSoFar();
      for (Pooled pooled : pool) {
        pooled.connection().close();
      }
      return Captures.read(capture(relay.conversations(), before, after));
    }
  }

  private static byte[] capture(List<Script> conversations, List<Integer> from, List<Integer> to)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      for (int i = 0; i < conversations.size(); i++) {
        Script script = conversations.get(i).between(from.get(i), to.get(i));
        script.writeJoined(
            capture.connection("10.0.0.1", 40_000 + i, "10.0.0.2", 6_000),
            (i + 1) * 1_000_000_000L,
            100_000,
            SEGMENT_BYTES);
      }
    }
    return bytes.toByteArray();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Asserts that each statement has a class of its own, the same on all connections. */
  private void assertTruth(Captures.Reading read, Map<String, String> classes) {
    Map<String, Long> counts =
        read.requests().stream()
            .collect(Collectors.groupingBy(Request::requestClass, Collectors.counting()));
    Map<String, Long> expected = new TreeMap<>();
    classes.forEach(
        (sql, name) -> expected.put(RequestClass.PREPARED_BEFORE + " " + name, executed.get(sql)));

    assertThat(counts).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(read.result().statistics().of(WireCount.UNKNOWN_STATEMENTS)).isEqualTo(ROUNDS);
  }

  @Test
  void statementsOfPostgresAreToldApart() throws Exception {
    PostgresOptions options = PostgresOptions.at(ADDRESS, freePort());
    try (PostgresServer server = new PostgresServer(options).initialise()) {
      server.start();
      String url = server.jdbcUrl();
      try (Connection filling = DriverManager.getConnection(url, options.user(), "")) {
        fill(filling, "serial");
      }
      Captures.Reading read =
          captured(
              options.port(),
              port -> url.replace(":" + options.port(), ":" + port) + "?prepareThreshold=1",
              options.user());

      assertTruth(
          read,
          Map.of(
              BY_ID, "SELECT of 3 columns (btt), 1 parameter (binary)",
              BY_TITLE, "SELECT of 2 columns (text), 1 parameter (text)",
              COUNT, "SELECT of 1 column (binary), 1 parameter (binary)",
              USERS, "SELECT of 2 columns (bt), 1 parameter (binary)",
              RENAME, "UPDATE, 3 parameters (ttb)",
              ADD, "INSERT, 2 parameters (bt)"));
    }
  }

  /** The index of the second Bind in a client's line, before which another execution stands. */
  private static int secondBind(byte[] line) {
    ByteBuffer bytes = ByteBuffer.wrap(line);
    int at = 0;
    for (int binds = 0; binds < 2; at += binds < 2 ? 1 + bytes.getInt(at + 1) : 0) {
      binds += line[at] == 'B' ? 1 : 0;
    }
    return at;
  }

  /** Two statements in one turn, of which the capture shows both or, at first, the second alone. */
  @Test
  void statementsOfOneTurnOfPostgresAreNamedByTheirOwnAnswers() throws Exception {
    PostgresOptions options = PostgresOptions.at(ADDRESS, freePort());
    try (PostgresServer server = new PostgresServer(options).initialise()) {
      server.start();
      String url = server.jdbcUrl();
      try (Connection filling = DriverManager.getConnection(url, options.user(), "")) {
        fill(filling, "serial");
      }
      try (RecordingRelay relay = RecordingRelay.to(options.port())) {
        String through =
            url.replace(":" + options.port(), ":" + relay.port()) + "?prepareThreshold=1";
        int before;
        try (Connection connection = DriverManager.getConnection(through, options.user(), "");
            PreparedStatement both = connection.prepareStatement(BY_ID + "; " + COUNT)) {
          both.setInt(1, 4);
          both.setInt(2, 4);
          for (int i = 0; i < 3; i++) {
            both.execute();
          }
          before = relay.linesSoFar().getFirst();
          both.execute();
          both.execute();
        }
        Script all = relay.conversations().getFirst();
        Script seen = all.between(before, before + 4);
        byte[] first = seen.line(0);
        Script second = new Script();
        second.client(Arrays.copyOfRange(first, secondBind(first), first.length));

        String id = RequestClass.PREPARED_BEFORE + " SELECT of 3 columns (btt), 1 parameter";
        String count = RequestClass.PREPARED_BEFORE + " SELECT of 1 column (binary), 1 parameter";
        String named = id + " (binary); " + count + " (binary)";
        assertThat(Captures.read(capture(List.of(seen), List.of(0), List.of(4))).requests())
            .extracting(Request::requestClass)
            .containsExactly(named, named);
        assertThat(
                Captures.read(capture(List.of(second.then(seen.from(1))), List.of(0), List.of(4)))
                    .requests())
            .extracting(Request::requestClass)
            .containsExactly(RequestClass.PREPARED_BEFORE, named);
      }
    }
  }

  /** The server leaves out the columns that the driver knows. */
  @Test
  void statementsOfMariaDbAreToldApart() throws Exception {
    assertTruth(
        ofMariaDb(""),
        Map.of(
            BY_ID, "of 3 columns, 1 parameter (int)",
            BY_TITLE, "of 2 columns, 1 parameter (text)",
            COUNT, "of 1 column, 1 parameter (int)",
            USERS, "of 2 columns, 1 parameter (int)",
            RENAME, "UPDATE, 3 parameters (text, text, int)",
            ADD, "INSERT, 2 parameters (int, text)"));
  }

  @Test
  void statementsOfMariaDbAreNamedByTheColumnsOfTheirResults() throws Exception {
    assertTruth(
        ofMariaDb("&enableSkipMeta=false"),
        Map.of(
            BY_ID, "story: id, title, body",
            BY_TITLE, "story: title, body",
            COUNT, "COUNT(*)",
            USERS, "person: id, name",
            RENAME, "UPDATE, 3 parameters (text, text, int)",
            ADD, "INSERT, 2 parameters (int, text)"));
  }

  private Captures.Reading ofMariaDb(String option) throws Exception {
    assumeTrue(MariaDbServer.isInstallable(), "MariaDB's programs are not on this machine");
    MariaDbOptions options = MariaDbOptions.at(ADDRESS, freePort(), "shop");
    try (MariaDbServer server = new MariaDbServer(options).initialise()) {
      server.start();
      String url = server.jdbcUrl();
      try (Connection filling = DriverManager.getConnection(url, options.user(), "")) {
        fill(filling, "int primary key auto_increment");
      }
      return captured(
          options.port(),
          port ->
              url.replace(":" + options.port(), ":" + port)
                  + (url.contains("?") ? "&" : "?")
                  + "useServerPrepStmts=true"
                  + option,
          options.user());
    }
  }
}
