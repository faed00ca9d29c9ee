package org.terrace.seven.suduelku;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class SuDuelKuTest extends ApplicationTest<SuDuelKu> {
  private int board;
  private String solution = "";

  SuDuelKuTest(SevenDatabase database) {
    super(new SuDuelKuApplication(), database);
  }

  @BeforeEach
  void create() {
    board = (int) service.create(0).value();
    solution =
        new Sql(connection)
            .first(row -> row.getString(1), "SELECT solution FROM board WHERE id = ?", board)
            .orElseThrow();
    assertThat(service.join(board, "Ada", 0).value()).isEqualTo(1);
    assertThat(service.join(board, "Ben", 0).value()).isEqualTo(2);
  }

  @Test
  void rightDigitsEarnPointsAndWrongOnesCostThem() {
    int cell = emptyCell();
    Board after = service.move(board, 2, cell, wrongDigit(cell), 0);
    assertThat(after.cells().charAt(cell)).isEqualTo('0');
    after = service.move(board, 1, cell, digit(cell), 0);

    assertThat(after.cells().charAt(cell)).isEqualTo(solution.charAt(cell));
    assertThat(after.ranking())
        .containsExactly(
            new Score(1, "Ada", SuDuelKuRules.RIGHT), new Score(2, "Ben", -SuDuelKuRules.WRONG));
    assertThat(broken()).isEmpty();
  }

  @Test
  void whoLeadsWhenTheLastCellIsFilledHasWon() {
    int first = emptyCell();
    Board last = service.move(board, 2, first, digit(first), 0);
    while (last.winner() == 0) {
      int cell = emptyCell();
      last = service.move(board, 2, cell, digit(cell), 0);
    }

    assertThat(last.winner()).isEqualTo(2);
    assertThat(last.cells()).isEqualTo(solution);
    assertRefused("board-done", () -> service.move(board, 1, 0, 1, 0));
    assertRefused("board-done", () -> service.join(board, "Cy", 0));
    assertThat(service.list(0).boards()).isEmpty();
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatTheRulesForbidIsRefused() {
    int cell = emptyCell();
    assertRefused("unknown-board", () -> service.look(99, 0));
    assertRefused("name-taken", () -> service.join(board, "Ada", 0));
    assertRefused("not-joined", () -> service.move(board, 3, cell, 1, 0));
    assertRefused("bad-move", () -> service.move(board, 1, 81, 1, 0));
    service.move(board, 1, cell, digit(cell), 0);
    assertRefused("cell-filled", () -> service.move(board, 1, cell, 1, 0));
    for (String player : new String[] {"Cy", "Dan", "Eve"}) {
      service.join(board, player, 0);
    }
    assertRefused("board-full", () -> service.join(board, "Fay", 0));
    assertThat(service.list(0).boards()).containsExactly(new OpenBoard(board, 5));
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    int cell = emptyCell();
    service.move(board, 1, cell, digit(cell), 0);

    assertSeen("boards-counted", "UPDATE board_counter SET last_board = 0");
    sql.update("UPDATE board_counter SET last_board = 1");
    assertSeen("five-players-at-most", "UPDATE board SET players = 1");
    sql.update("UPDATE board SET players = 2");
    assertSeen("points-by-the-rules", "UPDATE seat_of_board SET points = 7 WHERE seat = 2");
    sql.update("UPDATE seat_of_board SET points = 0 WHERE seat = 2");
    assertSeen("winner-leads", "UPDATE board SET winner = 1");
    sql.update("UPDATE board SET winner = 0");
    assertSeen("one-solution", "UPDATE board SET cells = puzzle");
    sql.update(
        "UPDATE board SET cells = ?",
        service.look(board, 0).cells().substring(0, cell)
            + digit(cell)
            + service.look(board, 0).cells().substring(cell + 1));
    assertSeen(
        "a-cell-is-won-once",
        "INSERT INTO board_move SELECT board, 2, seat, cell, digit, hit FROM board_move");
  }

  private int emptyCell() {
    return service.look(board, 0).cells().indexOf('0');
  }

  private int digit(int cell) {
    return solution.charAt(cell) - '0';
  }

  private int wrongDigit(int cell) {
    return digit(cell) % 9 + 1;
  }
}
