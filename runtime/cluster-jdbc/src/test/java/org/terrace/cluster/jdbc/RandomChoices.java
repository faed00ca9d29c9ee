package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.random.RandomGenerator;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Seeds;

/**
 * Random statements that take values of one row of several, over servers that find rows in another
 * order: each is refused, or leaves the same rows at both servers.
 */
final class RandomChoices {
  private static final int STATEMENTS = 80;

  /**
   * One in forty takes a value of several rows: that none of so many does is out of the question.
   */
  private static final int UNJUDGED_STATEMENTS = 4_000;

  private static final String ROWS = "SELECT id, price, note FROM whole ORDER BY id";

  private final boolean postgres;
  private final RandomGenerator random;

  private RandomChoices(boolean postgres, RandomGenerator random) {
    this.postgres = postgres;
    this.random = random;
  }

  /** Writes to the tables part and whole, of which every whole has several parts. */
  static void write(Connection connection, RealReplicas replicas, boolean postgres)
      throws SQLException {
    RandomChoices choices = drawn(postgres);
    int done = 0;
    try (Statement statement = connection.createStatement();
        Connection first = replicas.direct(0);
        Connection second = replicas.direct(1)) {
      for (int i = 0; i < STATEMENTS; i++) {
        String sql = choices.next();
        if (isDone(statement, sql)) {
          done++;
        }
        // A later statement may write over what this one left different.
        assertThat(RealReplicas.rows(first, ROWS))
            .as(sql)
            .isEqualTo(RealReplicas.rows(second, ROWS));
      }
    }
    assertThat(done).isGreaterThan(STATEMENTS / 10);
  }

  /**
   * Has each server do every statement by itself, judged by nobody, until one leaves other rows at
   * one server than at the other; fails where none does.
   */
  static void differUnjudged(RealReplicas replicas, boolean postgres) throws SQLException {
    RandomChoices choices = drawn(postgres);
    try (Connection first = replicas.direct(0);
        Connection second = replicas.direct(1)) {
      for (int i = 0; i < UNJUDGED_STATEMENTS; i++) {
        String sql = choices.next();
        doAt(first, sql);
        doAt(second, sql);
        if (!RealReplicas.rows(first, ROWS).equals(RealReplicas.rows(second, ROWS))) {
          return;
        }
      }
    }
    fail("of %d statements none left the servers different", UNJUDGED_STATEMENTS);
  }

  private static RandomChoices drawn(boolean postgres) {
    long seed = Seeds.next("randomChoices " + (postgres ? "postgresql" : "mariadb"));
    return new RandomChoices(postgres, Seeds.generator(seed));
  }

  private static void doAt(Connection server, String sql) throws SQLException {
    try (Statement statement = server.createStatement()) {
      boolean _ = isDone(statement, sql);
    }
  }

  private static boolean isDone(Statement statement, String sql) throws SQLException {
    try {
      statement.execute(sql);
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(sql + ": " + e.getMessage()).doesNotStartWith("08");
      return false;
    }
  }

  private String next() {
    String value = oneOf("p.price", "p.id", "w.price + 1", "7");
    String join =
        oneOf("p.whole = w.id", "p.id = w.id", "p.id = w.id + 1", "p.price = w.id", "p.id = 7");
    String more = oneOf("", " AND p.price > 5", " AND w.id < 6");
    return switch (random.nextInt(4)) {
      case 0 ->
          postgres
              ? "UPDATE whole w SET price = " + value + " FROM part p WHERE " + join + more
              : "UPDATE whole w JOIN part p ON " + join + more + " SET w.price = " + value;
      case 1 ->
          "UPDATE whole SET price = (SELECT "
              + oneOf("max(p.price)", "min(p.id)", "p.price", "count(*)", "max(p.id) + p.price")
              + " FROM part p WHERE p.whole = whole.id"
              + oneOf("", " GROUP BY p.whole", " GROUP BY p.note HAVING count(*) > 4")
              + ")";
      case 2 ->
          "INSERT INTO whole (id, price, note) SELECT "
              + (100 + random.nextInt(1_000))
              + " + p.whole, "
              + oneOf("max(p.price)", "p.price", "count(*)", "p.id")
              + ", 'x' FROM part p"
              + oneOf(" GROUP BY p.whole", " GROUP BY p.whole, p.price", " GROUP BY p.id");
      default -> "DELETE FROM whole WHERE id > 8 AND price < " + random.nextInt(9);
    };
  }

  private String oneOf(String... texts) {
    return texts[random.nextInt(texts.length)];
  }
}
