package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.LocalDate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.data.Shape;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class BoardLoaderTest {

  @Test
  void theTablesHoldWhatTheShapeSays(RunningBoard board) throws Exception {
    assertThat(board.number("SELECT count(*) FROM users WHERE access = 2")).isEqualTo(50);
    assertThat(board.number("SELECT count(*) FROM users WHERE id <= 1050 AND access = 1"))
        .isEqualTo(100);
    assertThat(board.number("SELECT count(*) FROM old_stories")).isBetween(150L, 250L);
    assertThat(
            board.number(
                "SELECT count(DISTINCT posted::date) FROM stories WHERE posted < '2026-07-01'"))
        .isEqualTo(30);
    assertThat(
            board.number(
                "SELECT count(*) FROM stories s WHERE posted < '2026-07-01' AND s.excerpt <> left(s.body, 120)"))
        .isZero();
  }

  @Test
  void newRowsGetIdsAfterTheLoadedOnes(RunningBoard board) throws Exception {
    assertThat(board.number("SELECT nextval('story_ids') - max(id) FROM stories")).isPositive();
    assertThat(board.number("SELECT nextval('comment_ids') - max(id) FROM comments")).isPositive();
    assertThat(
            board.number(
                "SELECT nextval(pg_get_serial_sequence('users', 'id')) - max(id) FROM users"))
        .isPositive();
  }

  @Test
  void everyTableHasStatistics(RunningBoard board) throws Exception {
    String analyzed =
        "SELECT count(DISTINCT tablename) FROM pg_stats WHERE schemaname = 'public'"
            + " AND tablename IN ('categories', 'users', 'stories', 'old_stories', 'submissions',"
            + " 'comments', 'old_comments', 'moderator_log')";
    assertThat(board.number(analyzed)).isEqualTo(8);
  }

  @Test
  void aBoardIsNotOverwrittenUnlessItIsToBe(RunningBoard board) throws Exception {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    BoardLoader loader =
        new BoardLoader(
            new PrintStream(progress, true, StandardCharsets.UTF_8), TimeSource.system());
    Shape tiny = new Shape(0.0001, 9, LocalDate.of(2020, 2, 29));
    try (Connection connection = board.connect();
        var statement = connection.createStatement()) {
      assertThatThrownBy(() -> loader.load(connection, tiny, false))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("--replace yes");
      connection.rollback();

      statement.execute("CREATE SCHEMA other");
      statement.execute("SET search_path TO other");
      connection.commit();
      loader.load(connection, tiny, false);
      loader.load(connection, tiny, true);
      try (var rows = statement.executeQuery("SELECT count(*) FROM other.users")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(150);
      }
      statement.execute("DROP SCHEMA other CASCADE");
      connection.commit();
    }
    assertThat(progress.toString(StandardCharsets.UTF_8))
        .contains("users")
        .contains("150 rows")
        .contains("loaded in");
  }
}
