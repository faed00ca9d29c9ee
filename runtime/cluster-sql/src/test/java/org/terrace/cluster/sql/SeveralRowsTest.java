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

/** Statements that make several rows, each of which a server alone would give its own value. */
class SeveralRowsTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres =
      ShopTables.analyzer(Engine.POSTGRESQL, Set.of("parts"), executor);
  private final StatementAnalyzer mariaDb = ShopTables.analyzer(Engine.MARIADB, Set.of(), executor);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT nextval('plain'), generate_series(1, 3)",
        "SELECT nextval('plain'), pg_catalog.unnest('{1,2}'::int[])",
        "SELECT nextval('plain') GROUP BY GROUPING SETS ((), ())",
        "INSERT INTO other SELECT nextval('plain') + 0 * generate_series(1, 3)",
        "INSERT INTO other SELECT 1 UNION ALL SELECT 2 RETURNING nextval('plain')",
        "INSERT INTO other VALUES (1), (2) RETURNING nextval('plain')",
        "INSERT INTO other VALUES (1), (2) RETURNING random()",
        "INSERT INTO other VALUES (1) UNION ALL SELECT 2 RETURNING nextval('plain')",
        "INSERT INTO other VALUES (1), (2) ON CONFLICT (price) DO UPDATE SET price = nextval('plain')",
        "INSERT INTO other VALUES (1), (2) ON CONFLICT (price) DO UPDATE SET price = random()",
        "INSERT INTO other SELECT 1 UNION SELECT 2 ON CONFLICT (price)"
            + " DO UPDATE SET price = nextval('plain')",
      })
  void oneValueForAllIsRefused(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT nextval('plain'), nextval('plain')",
        "SELECT nextval('plain') UNION ALL SELECT nextval('plain')",
        "INSERT INTO other SELECT nextval('plain')",
        "INSERT INTO other VALUES (nextval('plain')), (nextval('plain'))",
        "INSERT INTO other VALUES (1) RETURNING nextval('plain'), random()",
        "INSERT INTO other VALUES (1) ON CONFLICT (price) DO UPDATE SET price = nextval('plain')",
        "INSERT INTO other VALUES (random()), (random()) ON CONFLICT (price) DO NOTHING",
        "INSERT INTO other VALUES (1), (2) RETURNING now()",
        "INSERT INTO other DEFAULT VALUES RETURNING nextval('plain')",
      })
  void oneValueForOneRowPasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).evaluations()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO item (id, price) VALUES (1, 1), (2, 2) ON DUPLICATE KEY UPDATE price = NEXTVAL(plain)",
        "INSERT INTO item (id, price) VALUES (1, 1), (2, 2)"
            + " ON DUPLICATE KEY UPDATE price = NEXT VALUE FOR plain",
        "INSERT INTO item (id, price) VALUES (1, 1), (2, 2) ON DUPLICATE KEY UPDATE price = RAND()",
        "INSERT INTO other VALUES (1), (2) RETURNING NEXTVAL(plain)",
        "INSERT INTO counted (id, price) VALUES (5, 1) UNION ALL SELECT NULL, 2",
        "INSERT INTO counted (id, price) (VALUES (5, 1) UNION ALL SELECT NULL, 2)",
      })
  void oneValueForAllIsRefusedOnMariaDb(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO other SET price = 1 ON DUPLICATE KEY UPDATE price = NEXTVAL(plain)",
        "INSERT INTO other VALUES (1) ON DUPLICATE KEY UPDATE price = NEXT VALUE FOR plain",
        "INSERT INTO counted (price) VALUES (1), (2) RETURNING id",
      })
  void oneValueForOneRowPassesOnMariaDb(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).evaluations()).isNotEmpty();
  }

  @Test
  void aFunctionOfUsersMayMakeSeveralRows() throws SQLException {
    String sql = "SELECT nextval('plain'), parts(3)";
    assertThat(postgres.analyze(sql).evaluations()).hasSize(1);
    ColumnShape.DefaultReader defaults = StatementAnalyzer.defaults(Engine.POSTGRESQL);
    ColumnShape key = ColumnShape.of("id", "bigint", null, Optional.empty(), defaults);
    TableShape table =
        new TableShape(
            "other", List.of(key), List.of(), TableShape.Effects.NONE, false, List.of(), false);
    TableShape parts =
        new TableShape(
            "parts", List.of(key), List.of("id"), TableShape.Effects.NONE, false, List.of(), false);
    OwnFunctions functions = new OwnFunctions(Set.of(), Set.of(), Set.of("parts"));
    StatementAnalyzer informed =
        new StatementAnalyzer(
            Engine.POSTGRESQL,
            new TableCatalog(List.of(table, parts), "", functions),
            Set.of("parts"),
            executor,
            Duration.ofSeconds(20));

    isRefused(informed, sql);
    isRefused(informed, "INSERT INTO other SELECT nextval('plain') + parts(3)");
    isRefused(informed, "SELECT nextval('plain'), (ROW(1)::pair).parts");
    isRefused(informed, "SELECT nextval('plain'), public.parts(3)");
    assertThat(informed.analyze("INSERT INTO other SELECT nextval('plain')").evaluations())
        .hasSize(1);
    // A table may be called like such a function.
    for (String one :
        List.of(
            "INSERT INTO public.parts (id) VALUES (nextval('plain'))",
            "INSERT INTO shop.public.parts VALUES (nextval('plain'))",
            "UPDATE public.parts SET id = nextval('plain') WHERE id = 1")) {
      assertThat(informed.analyze(one).evaluations()).as(one).hasSize(1);
    }
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("Instead: ")
        .hasMessageNotContaining("cannot be understood");
  }
}
