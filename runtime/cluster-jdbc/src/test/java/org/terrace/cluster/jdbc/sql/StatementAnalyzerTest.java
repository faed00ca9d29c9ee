package org.terrace.cluster.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.jdbc.settings.Engine;
import org.terrace.cluster.jdbc.sql.StatementAnalysis.Evaluation;
import org.terrace.cluster.jdbc.sql.StatementAnalysis.Kind;

class StatementAnalyzerTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres = analyzer(Engine.POSTGRESQL);
  private final StatementAnalyzer mariaDb = analyzer(Engine.MARIADB);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET price = random()",
        "UPDATE item SET note = 'x' WHERE price < (SELECT random())",
        "INSERT INTO item (id, note) SELECT id, gen_random_uuid() FROM other",
        "INSERT INTO item (id) SELECT id FROM other",
        "INSERT INTO item (id, price) VALUES (1, clock_timestamp() - (SELECT at FROM other))",
        "DELETE FROM item WHERE id IN (SELECT id FROM other LIMIT 1)",
        "UPDATE item SET note = (SELECT string_agg(name, ',') FROM other)",
        "UPDATE item SET price = (SELECT sum(size) FROM other)",
        "UPDATE item SET note = 'now'",
        "UPDATE item SET note = ctid",
        "UPDATE item SET note = unheard_of(id)",
        "UPDATE item SET note = \"unheard_of\"(id)",
        "UPDATE item SET note = public.unheard_of(id)",
        "UPDATE item SET note = other.name FROM view_of_others other",
        "UPDATE triggered SET id = 2",
        "INSERT INTO unknown VALUES (1)",
        "SELECT unheard_of(1)",
        "SELECT lastval()",
        "SELECT pg_advisory_lock(1)",
        "SELECT nextval('numbers') FROM other",
        "WITH gone AS (DELETE FROM item RETURNING *) SELECT * FROM gone",
        "SELECT * INTO copy FROM item",
        "EXPLAIN ANALYZE UPDATE item SET id = 1",
        "UPDATE item SET id = 1; DELETE FROM item",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE TABLE copy AS SELECT random() FROM item",
        "ALTER TABLE item ADD COLUMN u uuid DEFAULT gen_random_uuid()",
        "CALL f()",
        "DO $$ BEGIN END $$",
        "COPY item FROM STDIN",
        "MERGE INTO item USING other ON item.id = other.id WHEN MATCHED THEN DELETE",
        "LOCK TABLE item",
        "BEGIN",
        "SET synchronous_commit = off",
        "UPDATE item SET note = 'no end",
        "",
      })
  void whatMayDifferIsRefusedWithTheWayOut(String sql) {
    assertThatThrownBy(() -> postgres.analyze(sql))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET id = 1 ORDER BY id LIMIT 1",
        "UPDATE item SET id = /*! 1 + */ 2",
        "UPDATE item SET note = @name",
        "INSERT INTO item (id, note) VALUES (last_insert_id(), '')",
        "SELECT get_lock('x', 1)",
      })
  void whatMayDifferIsRefusedOnMariaDb(String sql) {
    assertThatThrownBy(() -> mariaDb.analyze(sql)).isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void aMomentIsFoundOnceAndBoundBetweenTheOtherParameters() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze("UPDATE item SET at = now(), note = 'now()' WHERE id = ? AND at < now()");

    assertThat(analysis.kind()).isEqualTo(Kind.WRITE);
    assertThat(analysis.sql())
        .isEqualTo(
            "UPDATE item SET at = CAST(? AS timestamptz), note = 'now()'"
                + " WHERE id = ? AND at < CAST(? AS timestamptz)");
    assertThat(analysis.evaluations())
        .containsExactly(new Evaluation(1, "now()", null), new Evaluation(3, "now()", null));
    assertThat(analysis.written()).containsExactly("item");
  }

  @Test
  void columnsThatServersWouldFillAreFilledForEachRow() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze("INSERT INTO item (price) VALUES (?), (2) RETURNING id");

    assertThat(analysis.sql())
        .isEqualTo(
            "INSERT INTO item (price, \"id\", \"at\") VALUES"
                + " (?, CAST(? AS bigint), CAST(? AS timestamptz)),"
                + " (2, CAST(? AS bigint), CAST(? AS timestamptz)) RETURNING id");
    assertThat(analysis.evaluations())
        .containsExactly(
            new Evaluation(2, null, "item_id_seq"),
            new Evaluation(3, "now()", null),
            new Evaluation(4, null, "item_id_seq"),
            new Evaluation(5, "now()", null));
  }

  @Test
  void aListOfColumnsIsMadeWhereThereIsNone() throws SQLException {
    StatementAnalysis analysis = postgres.analyze("INSERT INTO item VALUES (DEFAULT, 5)");

    assertThat(analysis.sql())
        .isEqualTo(
            "INSERT INTO item (\"id\", \"price\", \"at\") VALUES"
                + " (CAST(? AS bigint), 5, CAST(? AS timestamptz))");
  }

  @Test
  void whatIsReadIsNamed() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze("UPDATE item SET price = o.size FROM other o WHERE o.id = item.id");

    assertThat(analysis.written()).containsExactly("item");
    assertThat(analysis.read()).containsExactly("other");
  }

  @Test
  void aQueryIsReadAsItIsAndALockingOneTakesItsTables() throws SQLException {
    String query = "SELECT count(*), random(), now() FROM item -- nextval('x')\n WHERE note = ';'";

    assertThat(postgres.analyze(query).kind()).isEqualTo(Kind.READ);
    assertThat(postgres.analyze(query).sql()).isEqualTo(query);
    StatementAnalysis locking = postgres.analyze("SELECT * FROM item WHERE id = 1 FOR UPDATE");
    assertThat(locking.kind()).isEqualTo(Kind.LOCKING_READ);
    assertThat(locking.written()).containsExactly("item");
  }

  @Test
  void whatTheUserDeclaresPasses() throws SQLException {
    StatementAnalyzer declared = analyzer(Engine.POSTGRESQL, Set.of("unheard_of"));

    String sql = "UPDATE item SET note = unheard_of(id)";
    assertThat(declared.analyze(sql).sql()).isEqualTo(sql);
    assertThatThrownBy(() -> declared.analyze("UPDATE item SET note = not_heard_of(id)"))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("functions=not_heard_of");
  }

  private StatementAnalyzer analyzer(Engine engine) {
    return analyzer(engine, Set.of());
  }

  private StatementAnalyzer analyzer(Engine engine, Set<String> functions) {
    ColumnShape.DefaultReader defaults = StatementAnalyzer.defaults(engine);
    List<ColumnShape> columns =
        List.of(
            ColumnShape.of("id", "bigint", null, Optional.of("item_id_seq"), defaults),
            ColumnShape.of("price", "bigint", "0", Optional.empty(), defaults),
            ColumnShape.of("at", "timestamptz", "now()", Optional.empty(), defaults),
            ColumnShape.of("note", "text", "'x'::text", Optional.empty(), defaults));
    TableCatalog catalog =
        new TableCatalog(
            List.of(
                table("item", columns, false),
                table("other", columns.subList(1, 2), false),
                table("triggered", columns.subList(1, 2), true)));
    return new StatementAnalyzer(engine, catalog, functions, executor, Duration.ofSeconds(20));
  }

  private static TableShape table(String name, List<ColumnShape> columns, boolean triggers) {
    return new TableShape(name, columns, List.of("id"), triggers, false, List.of(), false);
  }
}
