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
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;
import org.terrace.testing.Depth;

/**
 * Inserts of many rows, of which the parser, that takes more than 5 s for 60,000, is given those
 * alone in which it may find a table.
 */
class LongInsertTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres =
      ShopTables.analyzer(Engine.POSTGRESQL, Set.of(), executor);

  @AfterEach
  void close() {
    executor.close();
  }

  @Test
  void rowsWithoutQueriesAreNotGivenToTheParser() throws SQLException {
    String sql =
        "INSERT INTO item () VALUES (1, f(x), '(('), (-2, (?), NULL), (), /* ( */ (3, $1, 'y''\\'),"
            + " (4, g(x), (SELECT 1)), (5, true, 5), (DEFAULT, \"q\"(now()), 'select')"
            + " ON CONFLICT DO NOTHING";
    List<SqlToken> tokens = SqlScanner.scan(sql, Engine.POSTGRESQL);

    assertThat(InsertShape.of(tokens, Engine.POSTGRESQL).forParser(sql, tokens))
        .isEqualTo(
            "INSERT INTO item  VALUES (1, f(x), '(('), (4, g(x), (SELECT 1))"
                + " ON CONFLICT DO NOTHING");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRUE, FALSE, DEFAULT, DEFAULT",
        "-1, DATE '2026-01-01', TIMESTAMP '2026-01-01 10:00', 'a'",
        "1 + 2 * 3, 5, now(), INTERVAL '1 day'",
        "?, '7'::numeric(10, 2), CAST('2026-01-01' AS timestamptz), lower('A')",
        "nextval('n'), CASE WHEN 1 = 1 THEN 1 END, NULL, $$a$$",
        "(1), ARRAY[1, 2], E'\\\\x', ROW(1, 2)",
      })
  void manyRowsOfAnyValuesAreUnderstood(String row) throws SQLException {
    String first = "INSERT INTO item VALUES (1, 2, NULL, 'x')";
    String sql = first + (", (" + row + ")").repeat(Depth.of(20_000, 1_000));
    List<SqlToken> tokens = SqlScanner.scan(sql, Engine.POSTGRESQL);

    assertThat(InsertShape.of(tokens, Engine.POSTGRESQL).forParser(sql, tokens)).isEqualTo(first);
    assertThat(postgres.analyze(sql).written()).containsExactly("item");
  }

  @Test
  void whatDiffersInAnyRowIsFoundOnce() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze(
            "INSERT INTO badge VALUES (1, 'a', NULL, 1), (2, random(), DEFAULT, nextval('n')),"
                + " (3, now())");

    assertThat(analysis.sql())
        .isEqualTo(
            "INSERT INTO badge VALUES (1, 'a', NULL, 1), (2, CAST(? AS double precision),"
                + " CAST(? AS uuid), CAST(? AS bigint)), (3, CAST(? AS timestamptz))");
    assertThat(analysis.evaluations())
        .containsExactly(
            Evaluation.anew(1, "random()"),
            Evaluation.anew(2, "gen_random_uuid()"),
            new Evaluation(3, null, "n"),
            new Evaluation(4, "now()", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unheard_of(1)",
        "\"unheard_of\" (1)",
        "public.unheard_of(1)",
        "now(unheard_of(1))",
        "'now'::timestamptz",
        "currval('n')",
        "pg_advisory_lock(1)",
        "(SELECT random())",
        "(SELECT size FROM view_of_others)",
        "(SELECT id FROM item LIMIT 1)",
        "(TABLE view_of_others)",
        "(WITH w AS (TABLE view_of_others) TABLE w)",
        "(VALUES (unheard_of(1)))",
      })
  void whatMayDifferInALaterRowIsRefused(String value) {
    assertThatThrownBy(
            () -> postgres.analyze("INSERT INTO other VALUES (1), (2), (" + value + "), (4)"))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("Instead: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(SELECT id FROM item WHERE id = 1)",
        "coalesce(NULL, (SELECT max(id) FROM item))",
        "CASE WHEN EXISTS (SELECT 1 FROM \"item\") THEN 1 END",
        "(WITH w AS (SELECT 1) SELECT id FROM item)",
        "abs((SELECT id FROM public.item))",
      })
  void tablesInLaterRowsAndBehindThemAreFound(String query) throws SQLException {
    String rows = "INSERT INTO other (id, size) VALUES (1, 2), (2, 3), (3, %s), (4, 5)%s";

    assertThat(postgres.analyze(rows.formatted(query, "")).read()).containsExactly("item");
    assertThat(
            postgres
                .analyze(rows.formatted("4", " ON CONFLICT (id) DO UPDATE SET size = " + query))
                .read())
        .containsExactly("item");
    assertThat(postgres.analyze(rows.formatted("4", "")).sql()).contains("(2, 3)", "(4, 5)");
  }
}
