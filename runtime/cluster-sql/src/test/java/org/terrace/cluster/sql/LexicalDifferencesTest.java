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
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of which a server reads other pieces than a careless reader does. */
class LexicalDifferencesTest {
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
        "UPDATE item SET note = 'a' --\r, price = random()",
        "UPDATE item SET note = E'a'\n'\\'', price = random() --'",
        "UPDATE item SET note = e'a' /* */ 'b'",
        "UPDATE item SET price = chance\u00b2(id)",
        "UPDATE item SET note = lower\ud83d\ude00(note)",
        "UPDATE item SET note = lower\u3000(note)",
        "UPDATE item SET note = 'a\u0000'",
        "SELECT '\u0000'",
        "EXPLAIN ANALYSE CREATE TABLE copy AS SELECT 1",
        "EXPLAIN (ANALYSE) CREATE MATERIALIZED VIEW copy AS SELECT 1",
        "EXPLAIN (ANALYSE, VERBOSE) SELECT 1",
        "EXPLAIN CREATE TABLE copy AS SELECT 1",
        "((",
      })
  void whatPostgresReadsOtherwiseIsRefused(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET note = 'a' --\u007f'\n, note = uuid() -- '",
        "UPDATE item SET price = 1f()",
        "UPDATE item SET price = (SELECT 2chances(id) FROM other)",
        "UPDATE item SET note = $lower(note)",
        "INSERT INTO other SELECT price FROM item GROUP BY \"price\"",
        "INSERT INTO other SELECT id FROM item GROUP BY 'a\\'', price",
        "UPDATE item i JOIN badge b ON b.n = i.price SET i.price = b.n -- \r WHERE b.id = 1",
        "UPDATE item i JOIN badge b ON b.n = i.price SET i.price = b.n # \r WHERE b.id = 1",
      })
  void whatMariaDbReadsOtherwiseIsRefused(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET note = 'a' -- , random()\n, price = 1",
        "UPDATE item SET note = 'a' -- , random()\r, price = 1",
        "UPDATE item SET note = E'it\\'s', price = 1 WHERE id = 1",
        "UPDATE item SET note = $$it's$$, price = 1",
        "UPDATE item SET note = $a$it's$$ $a$ /* random() /* */ */",
        "UPDATE item SET note = n\u00e4me.note FROM badge n\u00e4me WHERE n\u00e4me.id = item.id",
        "UPDATE item SET price = 1 WHERE note @> 'a'",
        "EXPLAIN SELECT 1",
      })
  void whatPostgresReadsAlikePasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET note = 'it\\'s', price = 1 WHERE note = \"it's\" # uuid()",
        "INSERT INTO other SELECT price AS \"p\" FROM item GROUP BY price",
        "INSERT INTO other SELECT CONCAT(note, \"a\") FROM item GROUP BY CONCAT(note, \"a\")",
        "UPDATE item SET price = 5--1 WHERE `id` = 1",
        "UPDATE item i JOIN badge b ON b.id = 1 SET i.price = b.n -- \r, uuid()\n",
      })
  void whatMariaDbReadsAlikePasses(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }

  @Test
  void aParserIsGivenOneKindOfTexts() throws SQLException {
    assertThat(
            SqlScanner.forParser(
                "SELECT \"it's\", 'a\\'' /* c */ ,'b' AS \"x\", \"it's\" -- d", Engine.MARIADB))
        .isEqualTo("SELECT 'text 0', 'text 1' ,'b' AS \"x\", 'text 0'");
    assertThat(SqlScanner.forParser("SELECT E'\\'', $$'$$, \"a\"", Engine.POSTGRESQL))
        .isEqualTo("SELECT 'text 0', 'text 1', \"a\"");
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }
}
