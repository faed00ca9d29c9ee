package org.terrace.cluster.server.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.DefinitionFence;
import org.terrace.cluster.server.memory.FencedException;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.sql.Engine;
import org.terrace.testing.Await;

/** Two owners of one real server, of which the first is within what commits by itself. */
@Tag("real-processes")
@Tag("untimed")
class DefinitionFenceTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void nobodyIsWithinTheFenceOfAnEarlierOwner(String engine) throws Exception {
    EngineDialect dialect = EngineDialect.of(Engine.named(engine).orElseThrow());
    OwnTables tables = new OwnTables(dialect);
    DefinitionFence fence = new DefinitionFence(dialect, tables);
    try (TwoServers servers = new TwoServers(engine);
        Connection first = servers.connect(0);
        Connection next = servers.connect(0)) {
      tables.make(first);
      assertThat(tables.take(first, 0, 1, "first")).isTrue();
      List<String> done = new ArrayList<>();
      assertThatThrownBy(() ->
              fence.within(
                  first,
                  1,
                  () -> {
                    done.add("begun");
                    assertThatThrownBy(() -> fence.within(next, 1, () -> done.add("two at once")))
                        .hasMessageContaining("under way");
                    takeOver(dialect, tables, next);
                    execute(first, "CREATE TABLE late (id INT)");
                    return done.add("late");
                  }))
          .isInstanceOf(SQLException.class);

      assertThat(done).containsExactly("begun");
      assertThat(sessions(dialect, next)).isEmpty();
      assertThatThrownBy(() -> fence.within(next, 1, () -> done.add("fenced")))
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("next");
      assertThat(fence.within(next, 2, () -> "next")).isEqualTo("next");
      assertThat(sessions(dialect, next)).isEmpty();
    }
  }

  private static void takeOver(EngineDialect dialect, OwnTables tables, Connection next)
      throws SQLException {
    assertThat(tables.take(next, 1, 2, "next")).isTrue();
    for (String session : sessions(dialect, next)) {
      execute(next, dialect.endSession(session));
    }
    assertThat(Await.until(Duration.ofSeconds(20), () -> noneDefines(dialect, next))).isTrue();
  }

  private static boolean noneDefines(EngineDialect dialect, Connection connection) {
    try {
      return sessions(dialect, connection).isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> sessions(EngineDialect dialect, Connection connection)
      throws SQLException {
    List<String> sessions = new ArrayList<>();
    for (List<@Nullable String> row : EngineDialect.rows(connection, dialect.sessionsDefining())) {
      sessions.add(String.valueOf(row.getFirst()));
    }
    return sessions;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
