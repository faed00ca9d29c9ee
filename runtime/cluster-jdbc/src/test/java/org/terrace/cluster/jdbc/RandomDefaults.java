package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Seeds;

/**
 * Random statements that leave values to the defaults of columns, in every form that the engines
 * have: each is refused, or leaves the same rows at both servers.
 */
final class RandomDefaults {
  private static final int STATEMENTS = 120;
  private static final String ROWS = "SELECT id, note, u, n, at FROM badge ORDER BY id, n";

  /** In a cluster with a fault, one of so many statements is left as it is. */
  private static final int LEFT = 4;

  private final boolean postgres;
  private final RandomGenerator random;
  private final boolean faulty;
  private int lastId;

  private RandomDefaults(boolean postgres, RandomGenerator random, boolean faulty) {
    this.postgres = postgres;
    this.random = random;
    this.faulty = faulty;
  }

  /** Makes a table, moves the servers' numbers apart, and writes to it. */
  static void write(Connection connection, RealReplicas replicas, boolean postgres)
      throws SQLException {
    write(connection, replicas, postgres, false);
  }

  /** The same, where some statements come to each server with every DEFAULT that they have. */
  static void writeWithFault(Connection connection, RealReplicas replicas, boolean postgres)
      throws SQLException {
    write(connection, replicas, postgres, true);
  }

  private static void write(
      Connection connection, RealReplicas replicas, boolean postgres, boolean faulty)
      throws SQLException {
    long seed = Seeds.next("randomDefaults " + (postgres ? "postgresql" : "mariadb"));
    RandomDefaults defaults = new RandomDefaults(postgres, Seeds.generator(seed), faulty);
    List<String> done = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      defaults.makeTable(statement);
      try (Connection direct = replicas.direct(1);
          Statement apart = direct.createStatement()) {
        apart.execute(postgres ? "SELECT nextval('badges')" : "SELECT NEXTVAL(badges)");
      }
      for (int i = 0; i < STATEMENTS; i++) {
        String sql = defaults.next();
        if (defaults.isLeft(sql)) {
          doAtEach(replicas, sql);
          done.add(sql);
        } else if (isDone(statement, sql)) {
          done.add(sql);
        }
      }
    }
    if (!postgres) {
      countByParameters(connection);
    }
    List<String> everywhere = new ArrayList<>(replicas.everywhere(ROWS, 0, 1));
    assertThat(new HashSet<>(everywhere)).as(() -> "after " + String.join(";\n", done)).hasSize(1);
    assertThat(done).hasSizeGreaterThan(STATEMENTS / 10);
  }

  private boolean isLeft(String sql) {
    return faulty && sql.contains("DEFAULT") && random.nextInt(LEFT) == 0;
  }

  private static void doAtEach(RealReplicas replicas, String sql) throws SQLException {
    for (int replica = 0; replica < 2; replica++) {
      try (Connection direct = replicas.direct(replica);
          Statement statement = direct.createStatement()) {
        boolean _ = isDone(statement, sql);
      }
    }
  }

  private void makeTable(Statement statement) throws SQLException {
    statement.execute("CREATE SEQUENCE badges");
    statement.execute(
        postgres
            ? "CREATE TABLE badge (id INT PRIMARY KEY, note TEXT DEFAULT 'x',"
                + " u UUID DEFAULT gen_random_uuid(), n BIGINT DEFAULT nextval('badges'),"
                + " at TIMESTAMPTZ DEFAULT clock_timestamp())"
            : "CREATE TABLE badge (id INT PRIMARY KEY, u VARCHAR(60) DEFAULT (uuid()) INVISIBLE,"
                + " note VARCHAR(60) DEFAULT 'x', n BIGINT DEFAULT NEXTVAL(badges),"
                + " at TIMESTAMP(6) NULL DEFAULT CURRENT_TIMESTAMP(6))");
    if (!postgres) {
      statement.execute("CREATE TABLE counted (id BIGINT AUTO_INCREMENT PRIMARY KEY, at INT)");
    }
  }

  private static boolean isDone(Statement statement, String sql) throws SQLException {
    try {
      statement.execute(sql);
      return true;
    } catch (SQLException e) {
      // Refused by the cluster, or wrong at every server.
      assertThat(e.getSQLState()).as(sql + ": " + e.getMessage()).doesNotStartWith("08");
      return false;
    }
  }

  private String next() {
    String row = "(" + ++lastId + ", " + value() + ", " + value() + ")";
    String more = random.nextBoolean() ? "" : ", (" + ++lastId + ", " + value() + ", NULL)";
    String columns = oneOf("u, note", "note, u", "n, note", "u, n", "at, u", "n, at");
    String where = " WHERE id = " + (1 + random.nextInt(lastId));
    String set = "note = " + value() + oneOf("", ", u = " + value(), ", n = " + value());
    String list = "INSERT INTO badge (id, " + columns + ") ";
    return switch (random.nextInt(7)) {
      case 0 -> list + oneOf("", "OVERRIDING SYSTEM VALUE ") + "VALUES " + row + more;
      case 1 -> list + "(VALUES " + row + ")";
      case 2 -> "INSERT INTO badge VALUES (" + ++lastId + ", " + value() + ")";
      case 3 ->
          list + "VALUES " + row + (postgres ? onConflict() : " ON DUPLICATE KEY UPDATE " + set);
      case 4 ->
          postgres
              ? "UPDATE badge SET " + lists() + where
              : "REPLACE INTO badge SET id = 1, " + set;
      case 5 -> list + "SELECT " + row.substring(1, row.length() - 1) + " FROM badge" + where;
      default -> "UPDATE badge SET " + set + where;
    };
  }

  private String onConflict() {
    return " ON CONFLICT (id) DO UPDATE SET " + lists();
  }

  private String lists() {
    String values = "(" + value() + ", " + value() + ")";
    return oneOf("(note, u) = ", "(u, n) = ", "(note, at) = ") + oneOf("", "ROW") + values;
  }

  private String value() {
    return postgres
        ? oneOf("DEFAULT", "(DEFAULT)", "NULL", "gen_random_uuid()", "now()", "nextval('badges')")
        : oneOf(
            "DEFAULT",
            "DEFAULT(u)",
            "DEFAULT(note)",
            "CONCAT(DEFAULT(u), DEFAULT(badge.note))",
            "DEFAULT(n)",
            "IGNORE",
            "NULL",
            "uuid()",
            "now(6)");
  }

  private String oneOf(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  /**
   * Writes parameters that a server of MariaDB takes for zero, whatever their type: each counts.
   */
  private static void countByParameters(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO counted (id, at) VALUES (?, 1)")) {
      insert.setString(1, "0");
      insert.executeUpdate();
      insert.setBoolean(1, false);
      insert.executeUpdate();
      insert.setString(1, " 0.0");
      insert.executeUpdate();
      insert.setString(1, "7");
      insert.executeUpdate();
    }
    assertThat(RealReplicas.rows(connection, "SELECT count(*), max(id) FROM counted"))
        .isEqualTo("4|7\n");
  }
}
