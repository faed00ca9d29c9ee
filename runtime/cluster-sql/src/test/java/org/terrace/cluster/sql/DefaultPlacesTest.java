package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;

/** Every form in which a statement leaves a value to a column's default. */
class DefaultPlacesTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres =
      ShopTables.analyzer(Engine.POSTGRESQL, Set.of(), executor);
  private final StatementAnalyzer mariaDb = ShopTables.analyzer(Engine.MARIADB, Set.of(), executor);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE badge SET u = DEFAULT",
        "UPDATE badge SET u = (DEFAULT)",
        "UPDATE badge SET note = 'a', u = ((DEFAULT)) WHERE id = 1",
        "UPDATE badge SET (note, u) = ('a', DEFAULT)",
        "UPDATE badge SET (note, u) = ROW('a', DEFAULT) WHERE id = 1",
        "UPDATE badge SET (note, u) = ROW(upper('a,b'), (DEFAULT)) WHERE id = 1",
        "UPDATE badge SET (note, n) = ('a', DEFAULT)",
        "UPDATE badge b SET (u) = ROW(DEFAULT)",
        "UPDATE badge SET (note, unknown) = ('a', DEFAULT)",
        "INSERT INTO badge (id, u, n) VALUES (1, NULL, 1) ON CONFLICT (id)"
            + " DO UPDATE SET (note, u) = ('a', DEFAULT)",
        "INSERT INTO badge (id, u, n) VALUES (1, NULL, 1) ON CONFLICT (id)"
            + " DO UPDATE SET (note, u) = ROW('a', DEFAULT)",
        "INSERT INTO badge (id, u, n) SELECT id, NULL, 1 FROM other ON CONFLICT (id)"
            + " DO UPDATE SET u = DEFAULT",
        "INSERT INTO badge (id, n, u) OVERRIDING USER VALUE VALUES (1, 2, DEFAULT)",
        "INSERT INTO badge (id, unknown, n, u) VALUES (1, DEFAULT, 1, NULL)",
        "INSERT INTO badge (id) VALUES (1), (1, DEFAULT)",
        "MERGE INTO badge USING other ON badge.id = other.price WHEN NOT MATCHED THEN"
            + " INSERT VALUES (1, DEFAULT)",
        "MERGE INTO badge USING other ON badge.id = other.price WHEN MATCHED THEN"
            + " UPDATE SET u = DEFAULT",
        "COPY badge (id) FROM STDIN",
        "WITH w AS (SELECT 1) INSERT INTO badge (id, u, n) VALUES (1, DEFAULT, 1)",
        "ALTER TABLE item ADD COLUMN u uuid DEFAULT gen_random_uuid()",
        "ALTER TABLE item ADD COLUMN at timestamptz DEFAULT CURRENT_TIMESTAMP",
        "CREATE TABLE copy AS SELECT id, gen_random_uuid() AS u FROM item",
        "SELECT id, gen_random_uuid() AS u INTO copy FROM item",
        "CREATE TRIGGER fill BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION filled()",
      })
  void aDefaultThatEachServerWouldFindIsRefusedWithTheWayOut(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE badge SET u = DEFAULT",
        "UPDATE badge SET u := DEFAULT",
        "UPDATE badge SET note = DEFAULT(u)",
        "UPDATE badge SET note = CONCAT(DEFAULT(badge.u), 'a') WHERE id = 1",
        "DELETE FROM badge WHERE note = DEFAULT(u)",
        "DELETE FROM badge WHERE note = DEFAULT /* of */ (`u`)",
        "INSERT INTO badge (id, u, n) SELECT 1, DEFAULT(u), 1 FROM badge",
        "INSERT INTO badge (id, u, n) SELECT 1, DEFAULT(d.note), 1"
            + " FROM (SELECT u AS note FROM badge) d",
        "INSERT INTO badge (id, u, n) VALUES (1, (SELECT DEFAULT(note) FROM badge), 1)",
        "INSERT INTO badge (id, u, n) VALUES (1, 'a', 1) ON DUPLICATE KEY UPDATE u = DEFAULT",
        "INSERT INTO badge (id, u, n) VALUES (1, 'a', 1) ON DUPLICATE KEY UPDATE u = DEFAULT(u)",
        "INSERT INTO badge (id, u, n) VALUES (1, 'a', 1) RETURNING DEFAULT(u)",
        "INSERT INTO badge SET id = 1, u = DEFAULT(u), n = 1",
        "INSERT INTO badge SET id = 1, u = DEFAULT, n = 1",
        "INSERT INTO badge SET id = 1, u = IGNORE, n = 1",
        "INSERT INTO badge SET id = 1",
        "REPLACE INTO badge SET id = 1, u = DEFAULT(u), n = 1",
        "INSERT INTO badge (id, u, n) VALUES (1, DEFAULT(unknown), 1)",
        "LOAD DATA LOCAL INFILE 'a' INTO TABLE badge (id)",
        "ALTER TABLE item ADD COLUMN u uuid DEFAULT uuid()",
        "ALTER TABLE item ADD COLUMN at datetime DEFAULT CURRENT_TIMESTAMP",
        "CREATE TRIGGER fill BEFORE INSERT ON item FOR EACH ROW SET NEW.note = uuid()",
      })
  void aDefaultThatEachServerOfMariaDbWouldFindIsRefusedWithTheWayOut(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE badge SET note = DEFAULT",
        "UPDATE badge SET note = (DEFAULT), id = 2",
        "UPDATE badge SET (note, id) = (DEFAULT, 2)",
        "INSERT INTO badge (id, note, u, n) VALUES (1, DEFAULT, NULL, 1), (2, (DEFAULT), NULL, 2)",
        "INSERT INTO badge (id, u, n) VALUES (1, NULL, 1) ON CONFLICT (id)"
            + " DO UPDATE SET (note, id) = (DEFAULT, 1)",
        "INSERT INTO other DEFAULT VALUES",
      })
  void aDefaultThatIsTheSameEverywherePasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE badge SET note = CONCAT(DEFAULT(note), 'a')",
        "DELETE FROM badge WHERE note = DEFAULT(badge.note)",
        "INSERT INTO badge (id, note, u, n) VALUES (1, DEFAULT(note), NULL, 1)",
        "INSERT INTO badge (id, u, n) VALUES (1, 'a', 1) ON DUPLICATE KEY UPDATE u = VALUES(u)",
        "INSERT INTO badge (id, u, n) VALUES (1, 'a', 1) ON DUPLICATE KEY UPDATE note = DEFAULT",
        "UPDATE badge SET u = IGNORE",
      })
  void aDefaultOfMariaDbThatIsTheSameEverywherePasses(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }

  @Test
  void aDefaultInARowIsFoundOnceWhereverTheRowsStand() throws SQLException {
    String list = "INSERT INTO badge (id, u, n)";
    for (String form :
        List.of(
            " OVERRIDING SYSTEM VALUE VALUES (1, %s, 2)",
            " VALUES (1, %s, 2) ON CONFLICT (id) DO UPDATE SET note = DEFAULT",
            " (VALUES (1, %s, 2))",
            " ((VALUES (1, %s, 2)))")) {
      for (String value : List.of("DEFAULT", "(DEFAULT)", "( (default) )")) {
        StatementAnalysis analysis = postgres.analyze(list + form.formatted(value));
        assertThat(analysis.sql()).isEqualTo(list + form.formatted("CAST(? AS uuid)"));
        assertThat(analysis.evaluations()).containsExactly(Evaluation.anew(1, "gen_random_uuid()"));
      }
    }
  }

  @Test
  void columnsThatAnInsertLeavesOutAreFilledBehindOverridingAndAnAlias() throws SQLException {
    String filled = "CAST(? AS uuid), CAST(? AS bigint)";

    assertThat(postgres.analyze("INSERT INTO badge (id) OVERRIDING SYSTEM VALUE VALUES (1)").sql())
        .isEqualTo(
            "INSERT INTO badge (id, \"u\", \"n\") OVERRIDING SYSTEM VALUE VALUES (1, "
                + filled
                + ")");
    assertThat(postgres.analyze("INSERT INTO badge AS b VALUES (1, 'a')").sql())
        .isEqualTo(
            "INSERT INTO badge AS b (\"id\", \"note\", \"u\", \"n\") VALUES (1, 'a', "
                + filled
                + ")");
    assertThat(postgres.analyze("INSERT INTO strict (price) (VALUES (1))").sql())
        .isEqualTo(
            "INSERT INTO strict (price, \"id\") OVERRIDING SYSTEM VALUE"
                + " (VALUES (1, CAST(? AS bigint)))");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(id, u, n) VALUES (1, DEFAULT(u), 2)|(id, u, n) VALUES (1, ?, 2)",
        "(id, u, n) VALUES (1, (DEFAULT(u)), 2)|(id, u, n) VALUES (1, (?), 2)",
        "(id, u, n) VALUES (1, CONCAT(DEFAULT(badge.u), DEFAULT(note)), 2)"
            + "|(id, u, n) VALUES (1, CONCAT(?, DEFAULT(note)), 2)",
        "(id, u, n) VALUES (1, IGNORE, 2)|(id, u, n) VALUES (1, ?, 2)",
        "(badge.id, badge.u, shop.badge.n) VALUES (1, DEFAULT, 2)"
            + "|(badge.id, badge.u, shop.badge.n) VALUES (1, ?, 2)",
      })
  void aDefaultOfMariaDbInARowIsFoundOnce(String written, String sent) throws SQLException {
    for (String keyword :
        List.of("INSERT INTO badge ", "INSERT IGNORE INTO badge ", "REPLACE INTO badge ")) {
      StatementAnalysis analysis = mariaDb.analyze(keyword + written);
      assertThat(analysis.sql()).isEqualTo(keyword + sent);
      assertThat(analysis.evaluations()).containsExactly(Evaluation.anew(1, "uuid()"));
    }
  }

  @Test
  void theNextNumberIsFoundOnceWhereTheDefaultOfItsColumnIsAskedFor() throws SQLException {
    StatementAnalysis analysis =
        mariaDb.analyze("INSERT INTO badge (id, u, n) VALUES (1, 'a', DEFAULT(n))");

    assertThat(analysis.sql()).isEqualTo("INSERT INTO badge (id, u, n) VALUES (1, 'a', ?)");
    assertThat(analysis.evaluations()).containsExactly(new Evaluation(1, null, "plain"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'0'", "''", "'a'", "0.2", "0x0", "FALSE", "1 - 1", "abs(0)", "?+0"})
  void aValueThatMayMakeAServerOfMariaDbCountIsRefused(String value) {
    isRefused(mariaDb, "INSERT INTO counted (price, id) VALUES (1, " + value + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NULL", "0", "(NULL)", "-0", "(0)", "DEFAULT", "00", "DEFAULT(id)"})
  void aValueThatMakesAServerOfMariaDbCountIsReplaced(String value) throws SQLException {
    assertThat(mariaDb.analyze("INSERT INTO counted (price, id) VALUES (1, " + value + ")").sql())
        .isEqualTo("INSERT INTO counted (price, id) VALUES (1, ?)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "-7", "'7'", "(7)", "?", "0070"})
  void aNumberOfTheClientStays(String value) throws SQLException {
    String sql = "INSERT INTO counted (price, id) VALUES (1, " + value + ")";
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO badge PARTITION (p0) (u, id, n) VALUES (DEFAULT, 1, 1)",
        "INSERT INTO badge (id, u, n) AS x VALUES (1, DEFAULT, 1)",
        "INSERT INTO badge",
      })
  void rowsThatCannotBeFoundAreRefused(String sql) {
    isRefused(mariaDb, sql);
  }

  /** As PostgreSQL wrote CURRENT_DATE in its catalogue before version 10. */
  @Test
  void aDefaultThatIsReadAsAMomentIsFoundOnce() {
    ColumnShape.DefaultReader reader = StatementAnalyzer.defaults(Engine.POSTGRESQL);

    assertThat(reader.filling("('now'::text)::date")).isEqualTo(ColumnShape.Filling.EVALUATED);
    assertThat(reader.filling("'now and then'::text")).isEqualTo(ColumnShape.Filling.SAME);
    assertThat(reader.filling("version()")).isEqualTo(ColumnShape.Filling.UNKNOWN);
    assertThat(StatementAnalyzer.defaults(Engine.MARIADB).filling("'now'"))
        .isEqualTo(ColumnShape.Filling.SAME);
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }
}
