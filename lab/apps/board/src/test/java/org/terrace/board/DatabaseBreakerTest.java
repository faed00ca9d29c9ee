package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.board.store.BoardDialect;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** Rows that are really held, and pages that are really written, in a real database. */
@Timeout(120)
@Tag("real-processes")
class DatabaseBreakerTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private DatabaseBreaker breaker(Connection connection, String url) {
    return new DatabaseBreaker(
        connection,
        BoardDialect.of(url),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        TimeSource.system());
  }

  private List<String> answers() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, "board", "");
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void rowsAreHeldFromStartToEndAndFreeAfterwards(String engine) throws Exception {
    try (BoardOverDatabases board = BoardOverDatabases.open(engine, 1);
        Connection holder = connect(board.firstUrl());
        Connection other = connect(board.firstUrl());
        Statement statement = other.createStatement()) {
      DatabaseBreaker breaker = breaker(holder, board.firstUrl());
      Thread held = Thread.ofPlatform().start(() -> breaker.obey("row-lock 1.5"));
      assertThat(Await.until(Duration.ofSeconds(20), () -> !answers().isEmpty())).isTrue();

      // What came after the end, on a machine that was held up, says nothing.
      assertThat(isRefused(statement) || answers().size() > 1).isTrue();
      held.join();
      statement.execute("SELECT id FROM stories FOR UPDATE NOWAIT");

      assertThat(answers()).hasSize(2);
      long start = Long.parseLong(answers().getFirst().replace("row-lock start ", ""));
      long end = Long.parseLong(answers().getLast().replace("row-lock end ", ""));
      assertThat(end - start).isGreaterThanOrEqualTo(1_500_000_000L);
    }
  }

  private static boolean isRefused(Statement statement) {
    try {
      statement.execute("SELECT id FROM stories FOR UPDATE NOWAIT");
      return false;
    } catch (SQLException held) {
      return true;
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void pagesAreMadeDirtyWrittenAndForgotten(String engine) throws Exception {
    try (BoardOverDatabases board = BoardOverDatabases.open(engine, 1);
        Connection connection = connect(board.firstUrl());
        Statement statement = connection.createStatement()) {
      DatabaseBreaker breaker = breaker(connection, board.firstUrl());
      breaker.obey("checkpoint 4.0");
      breaker.obey("drop everything");

      assertThat(answers())
          .extracting(line -> line.replaceAll(" [0-9]+$", ""))
          .containsExactly(
              "dirty-pages start",
              "dirty-pages end",
              "checkpoint start",
              "checkpoint end",
              "unknown drop everything");
      assertThatThrownBy(() -> statement.execute("SELECT count(*) FROM terrace_dirty"))
          .isInstanceOf(SQLException.class);
    }
  }
}
