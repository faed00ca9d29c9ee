package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;

/** Writes that would differ among replicas without calling anything that differs. */
class HiddenDifferencesTest {
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
        "'now'",
        "' NOW '",
        "E'now'",
        "E'n\\x6fw'",
        "E'n\\157w'",
        "E'\\u006eow'",
        "$$now$$",
        "$a$today$a$",
        "N'now'",
        "U&'n\\006fw'",
        "'no'\n'w'",
        "'today 10:00'",
        "'10:00 today'",
        "'tomorrow EST'",
        "'today America/New_York'",
        "'(now)'",
        "' now ,'",
        "'at today'",
        "'{now,2020-01-01}'",
        "'[now,infinity)'",
        "'(\"yesterday\",a)'",
      })
  void aTextThatMayBeReadAsAMomentIsRefused(String text) {
    isRefused(postgres, "UPDATE item SET at = " + text);
    isRefused(postgres, "INSERT INTO item (id, at) VALUES (1, " + text + ")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'known'",
        "'see you today'",
        "'now or never'",
        "'Hello, now, and then'",
        "'nowhere'",
        "'or now()'",
        "'epoch'",
        "'2026-01-01 10:00 UTC'",
      })
  void anOrdinaryTextPasses(String text) throws SQLException {
    String sql = "UPDATE item SET note = " + text;
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET U&\"\\006eote\" = DEFAULT",
        "UPDATE item SET note = age(at)",
        "UPDATE item SET price = pg_relation_size('item')",
        "UPDATE item SET note = current_setting('port')",
        "INSERT INTO other SELECT price FROM item ON CONFLICT DO NOTHING",
        "INSERT INTO other WITH w AS (SELECT price FROM item) SELECT price FROM w"
            + " ON CONFLICT (price) DO NOTHING",
      })
  void whatDiffersOutOfSightIsRefused(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET note = @@hostname",
        "UPDATE item SET note = @@global.server_id",
        "UPDATE item SET note = USER()",
        "UPDATE item, other SET other.price = 1",
        "UPDATE item JOIN other ON item.price = other.price SET other.price = 1",
        "UPDATE item JOIN other ON item.price = other.price SET price = 1",
        "UPDATE item i JOIN other o ON i.price = o.price SET i.price = 1, o.price = 2",
        "INSERT IGNORE INTO other SELECT price FROM item",
        "REPLACE INTO other SELECT price FROM item",
        "INSERT INTO other SELECT price FROM item ON DUPLICATE KEY UPDATE price = 2",
      })
  void whatDiffersOutOfSightOnMariaDbIsRefused(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item i JOIN other o ON i.price = o.price SET i.note = 'a', `i`.price = 1",
        "UPDATE item JOIN badge ON item.price = badge.id SET item.price = badge.n",
        "INSERT INTO other SELECT 1 ON DUPLICATE KEY UPDATE price = 2",
        "INSERT INTO stamped (id, at) VALUES (1, '2026-01-01')",
        "UPDATE shift SET note = 'a'",
        "UPDATE shift SET id = id * 2",
        "INSERT INTO other SELECT COUNT(*) FROM shift",
        "INSERT INTO shift (id, note) VALUES (1, 'a')",
        "UPDATE moment SET price = 2",
        "INSERT INTO moment (at) VALUES ('2026-01-01')",
      })
  void whatIsTheSameOnMariaDbPasses(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO stamped (id) VALUES (1) ON DUPLICATE KEY UPDATE price = 2",
        "REPLACE INTO stamped (id) VALUES (1)",
        "UPDATE stamped SET price = 1",
        "INSERT INTO shift (id, at) VALUES (1, NULL)",
        "INSERT INTO shift VALUES (1, ?, NULL, 'a')",
        "INSERT INTO shift (id, at) SELECT price, NULL FROM item",
        "INSERT INTO shift (id) VALUES (1) ON DUPLICATE KEY UPDATE at = note",
        "UPDATE shift SET at = ?",
        "UPDATE shift SET note = tm",
        "INSERT INTO other SELECT x.* FROM shift x",
        "INSERT INTO other SELECT STRAIGHT_JOIN * FROM shift",
        "INSERT INTO other SELECT ALL * FROM shift",
        "UPDATE item SET at = CONVERT(note, TIME)",
        "UPDATE item SET at = TIME'10:00'",
        "UPDATE item SET at = CAST(note AS TIME)",
        "UPDATE item SET at = STR_TO_DATE(note, '%H:%i')",
        "UPDATE moment SET at = NOW(6)",
        "UPDATE moment SET price = 1 WHERE at < CURRENT_TIMESTAMP - INTERVAL 1 HOUR",
        "UPDATE item SET at = NOW() WHERE price = (SELECT price FROM moment WHERE price = 1)",
        "DELETE FROM moment WHERE at < UTC_TIMESTAMP()",
        "INSERT INTO moment (price) VALUES (1), (2)",
        "INSERT INTO moment (at) VALUES (DEFAULT), (DEFAULT(at))",
        "INSERT INTO moment (price) SELECT price FROM item",
        "INSERT INTO moment VALUES ()",
        "INSERT INTO shift (id, at) VALUES (1, NOW())",
      })
  void whereMariaDbLooksAtItsClockAllClocksShowOneMoment(String sql) throws SQLException {
    StatementAnalysis analysis = mariaDb.analyze(sql);

    assertThat(analysis.sql()).isEqualTo("SET STATEMENT timestamp = 0 + ? FOR " + sql);
    assertThat(analysis.evaluations()).containsExactly(new Evaluation(1, "@@timestamp", null));
    assertThat(SessionSetting.isSetting(analysis.sql())).isFalse();
  }

  @Test
  void whatIsAnotherForEachRowIsNoMomentOfTheClock() throws SQLException {
    StatementAnalysis analysis = mariaDb.analyze("INSERT INTO moment (price) VALUES (rand())");

    assertThat(analysis.sql())
        .isEqualTo("SET STATEMENT timestamp = 0 + ? FOR INSERT INTO moment (price) VALUES (?)");
    assertThat(analysis.evaluations())
        .containsExactly(new Evaluation(1, "@@timestamp", null), Evaluation.anew(2, "rand()"));
    assertThatThrownBy(() -> mariaDb.analyze("UPDATE moment SET at = NOW(price)"))
        .hasMessageContaining("arguments that are no numbers");
  }

  /** A moment of SYSDATE would go through local time, of which an hour comes twice. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO moment (at) VALUES (SYSDATE())|INSERT INTO moment (at) VALUES (NOW())",
        "INSERT INTO moment VALUES (sysdate(6) + INTERVAL 1 DAY, 1)"
            + "|INSERT INTO moment VALUES (NOW(6) + INTERVAL 1 DAY, 1)",
        "INSERT INTO sysdated (at) VALUES ('2026-01-01'), (DEFAULT)"
            + "|INSERT INTO sysdated (at, `since`) VALUES ('2026-01-01', NOW(6)), (DEFAULT, NOW(6))",
        "INSERT INTO sysdated VALUES (NULL, DEFAULT)|INSERT INTO sysdated VALUES (NULL, NOW(6))",
      })
  void sysdateIsTheMomentThatTheClocksShow(String sql, String changed) throws SQLException {
    StatementAnalysis analysis = mariaDb.analyze(sql);

    assertThat(analysis.sql()).isEqualTo("SET STATEMENT timestamp = 0 + ? FOR " + changed);
    assertThat(analysis.evaluations()).containsExactly(new Evaluation(1, "@@timestamp", null));
  }

  @Test
  void sysdateOfLocalTimesIsFoundOnce() throws SQLException {
    assertThat(mariaDb.analyze("INSERT INTO item (note) VALUES (SYSDATE())").evaluations())
        .contains(Evaluation.anew(1, "SYSDATE()"));
    isRefused(mariaDb, "UPDATE moment SET at = SYSDATE()");
    isRefused(mariaDb, "INSERT INTO moment (at) VALUES (SYSDATE(price))");
  }

  @Test
  void aTableThatIsReadMayHaveWhatCannotBeWritten() throws SQLException {
    for (String sql :
        new String[] {
          "SELECT age(at), pg_relation_size('item') FROM item",
          "SELECT current_setting('port')",
          "SELECT * FROM item WHERE at < 'now'"
        }) {
      assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
    }
    String path = "UPDATE item SET note = current_setting('search_path')";
    assertThat(postgres.analyze(path).sql()).isEqualTo(path);
    assertThat(mariaDb.analyze("SELECT @@hostname").sql()).isEqualTo("SELECT @@hostname");
    assertThat(postgres.analyze("UPDATE item SET note = age(at, at)").evaluations()).isEmpty();
  }

  @Test
  void tablesBehindTheOneWhoseRowsAreReplacedAreWritten() throws SQLException {
    assertThat(mariaDb.analyze("REPLACE INTO folder (id) VALUES (1)").written())
        .containsExactlyInAnyOrder("folder", "page", "line");
    assertThat(
            mariaDb
                .analyze("INSERT INTO folder (id) VALUES (1) ON DUPLICATE KEY UPDATE id = 2")
                .written())
        .containsExactlyInAnyOrder("folder", "page", "line");
    assertThat(mariaDb.analyze("INSERT INTO folder (id) VALUES (1)").written())
        .containsExactly("folder");
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }
}
