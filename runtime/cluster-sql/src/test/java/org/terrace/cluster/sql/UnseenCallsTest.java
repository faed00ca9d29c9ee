package org.terrace.cluster.sql;

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
import org.terrace.cluster.sql.ColumnShape.DefaultReader;
import org.terrace.cluster.sql.StatementAnalysis.MomentPlaces;

/** Calls that look like none, functions of users, and texts that are read as moments. */
class UnseenCallsTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres = analyzer(Engine.POSTGRESQL, Set.of());
  private final StatementAnalyzer mariaDb = analyzer(Engine.MARIADB, Set.of());

  @AfterEach
  void close() {
    executor.close();
  }

  private StatementAnalyzer analyzer(Engine engine, Set<String> declared) {
    DefaultReader defaults = StatementAnalyzer.defaults(engine);
    boolean postgresql = engine == Engine.POSTGRESQL;
    List<ColumnShape> columns =
        List.of(
            column("id", "bigint", defaults),
            column("note", "text", defaults),
            column("at", postgresql ? "timestamp with time zone" : "datetime", defaults),
            ColumnShape.calculated("age", "bigint(20)", "unix_timestamp() - `id`", defaults),
            ColumnShape.calculated("twice", "bigint(20)", "`id` * 2", defaults),
            ColumnShape.of("n", "bigint", null, Optional.of("numbers"), defaults));
    TableCatalog tables =
        new TableCatalog(
            List.of(table("t", columns), table("plain", List.of(columns.getFirst()))),
            postgresql ? "" : "shop",
            new OwnFunctions(Set.of("lower", "chance"), Set.of("chance"), Set.of()));
    return new StatementAnalyzer(engine, tables, declared, executor, Duration.ofSeconds(20));
  }

  private static ColumnShape column(String name, String type, DefaultReader defaults) {
    return ColumnShape.of(name, type, null, Optional.empty(), defaults);
  }

  private static TableShape table(String name, List<ColumnShape> columns) {
    return new TableShape(
        name, columns, List.of("id"), TableShape.Effects.NONE, false, List.of(), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT t.chance FROM t",
        "SELECT (t).chance FROM t",
        "SELECT (x.*).\"chance\" FROM t x",
        "UPDATE t SET id = t.chance",
        "UPDATE t SET note = lower(note)",
        "SELECT lower(note) FROM t",
        "UPDATE t SET note = public.upper(note)",
        "UPDATE t SET at = public.now()",
        "UPDATE t SET note = (SELECT p.array_agg FROM plain p)",
        "CREATE VIEW v AS SELECT nextval('numbers')",
        "CREATE VIEW v AS SELECT unheard_of(id) FROM t",
        "CREATE OR REPLACE VIEW v (a, b) AS SELECT id, currval('numbers') FROM t",
      })
  void whatMayBeAFunctionOfAUserIsRefused(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT t.note FROM t",
        "UPDATE t SET note = pg_catalog.upper(note)",
        "CREATE VIEW v (a, b) AS SELECT id, now() FROM t",
        "SELECT chance FROM t",
      })
  void whatIsNonePasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @Test
  void aFunctionThatIsDeclaredMayBeCalledInEveryWay() throws SQLException {
    StatementAnalyzer declaring = analyzer(Engine.POSTGRESQL, Set.of("chance", "lower"));
    for (String sql :
        List.of("UPDATE t SET id = t.chance", "UPDATE t SET note = public.lower(note)")) {
      assertThat(declaring.analyze(sql).sql()).isEqualTo(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DEFAULT(n) FROM t",
        "SELECT DEFAULT(t.n) FROM t",
        "CREATE VIEW v AS SELECT DEFAULT(n) FROM t",
        "UPDATE t SET id = shop.now()",
        "UPDATE t SET note = CURRENT_USER",
        "UPDATE t SET note = CURRENT_USER()",
        "UPDATE t SET id = age",
        "INSERT INTO plain SELECT age FROM t",
        "INSERT INTO plain SELECT * FROM t",
        "INSERT INTO plain SELECT x.* FROM t x",
        "UPDATE t SET id = 1 WHERE age > 3",
      })
  void whatDiffersOnMariaDbIsRefused(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT age FROM t",
        "SELECT DEFAULT(note), CURRENT_USER() FROM t",
        "UPDATE t SET id = twice",
        "INSERT INTO plain SELECT count(*) FROM t",
      })
  void whatIsTheSameOnMariaDbPasses(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t SET at = note::timestamptz",
        "UPDATE t SET at = CAST(note AS timestamptz)",
        "UPDATE t SET at = CAST(trim(t.note) AS pg_catalog.date)",
        "UPDATE t SET at = (note || ' 10:00')::timestamp",
      })
  void aTextOfARowIsNotReadAsAMoment(String sql) {
    isRefused(postgres, sql);
  }

  @Test
  void aTextThatIsGivenIsReadAsAMomentWhereACastOrAColumnSaysSo() throws SQLException {
    assertThat(postgres.analyze("UPDATE plain SET id = ?").moments()).isEqualTo(MomentPlaces.NONE);
    assertThat(postgres.analyze("UPDATE t SET note = ?").moments())
        .isEqualTo(MomentPlaces.IN_COLUMNS);
    for (String cast :
        List.of(
            "UPDATE plain SET id = extract(day FROM ?::date)",
            "UPDATE plain SET id = 1 WHERE CAST(? AS timestamp with time zone) > ?",
            "UPDATE t SET at = at::date",
            "UPDATE t SET at = to_timestamp(note, 'YYYY')::date")) {
      assertThat(postgres.analyze(cast).moments()).as(cast).isEqualTo(MomentPlaces.BY_CASTS);
    }
    StatementAnalysis column = postgres.analyze("UPDATE t SET note = ?");
    column.checkText("today", false);
    column.checkText("see you today", true);
    assertThatThrownBy(() -> column.checkText("today", true)).hasMessageContaining("Instead: ");
    StatementAnalysis cast = postgres.analyze("UPDATE t SET at = ?::date");
    assertThatThrownBy(() -> cast.checkText("now", false)).hasMessageContaining("Instead: ");
    assertThat(mariaDb.analyze("UPDATE t SET at = ?").moments()).isEqualTo(MomentPlaces.NONE);
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("Instead: ");
  }
}
