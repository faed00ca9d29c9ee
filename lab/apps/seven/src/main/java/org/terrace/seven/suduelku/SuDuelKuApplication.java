package org.terrace.seven.suduelku;

import java.util.ArrayList;
import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** Su-Duel-Ku: any number of boards side by side. */
public final class SuDuelKuApplication implements Application<SuDuelKu> {

  @Override
  public String name() {
    return "su-duel-ku";
  }

  @Override
  public Published published() {
    return new Published("EJB", Style.WARM_PASSIVE, 4, 200, 100);
  }

  @Override
  public Class<SuDuelKu> service() {
    return SuDuelKu.class;
  }

  @Override
  public SuDuelKu rules(TimeSource time) {
    return new SuDuelKuRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE board_counter (
          id INT PRIMARY KEY,
          last_board BIGINT NOT NULL)
        """,
        """
        CREATE TABLE board (
          id INT PRIMARY KEY,
          puzzle VARCHAR(81) NOT NULL,
          solution VARCHAR(81) NOT NULL,
          cells VARCHAR(81) NOT NULL,
          players INT NOT NULL,
          moves INT NOT NULL,
          winner INT NOT NULL)
        """,
        "CREATE INDEX board_open ON board (winner, id)",
        """
        CREATE TABLE seat_of_board (
          board INT NOT NULL,
          seat INT NOT NULL,
          player VARCHAR(16) NOT NULL,
          points INT NOT NULL,
          mistakes INT NOT NULL,
          PRIMARY KEY (board, seat),
          FOREIGN KEY (board) REFERENCES board (id))
        """,
        """
        CREATE TABLE board_move (
          board INT NOT NULL,
          number INT NOT NULL,
          seat INT NOT NULL,
          cell INT NOT NULL,
          digit INT NOT NULL,
          hit INT NOT NULL,
          PRIMARY KEY (board, number),
          FOREIGN KEY (board) REFERENCES board (id))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("board_move", "seat_of_board", "board", "board_counter");
  }

  @Override
  public void seed(Sql sql) {
    sql.update("INSERT INTO board_counter (id, last_board) VALUES (1, 0)");
  }

  @Override
  public Workload<SuDuelKu> workload(long seed, int client, int replyBytes) {
    return new SuDuelKuWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "boards-counted",
            "There are as many boards as were counted.",
            "SELECT concat('counted ', last_board) FROM board_counter"
                + " WHERE last_board <> (SELECT count(*) FROM board)"),
        Invariant.ofQuery(
            "five-players-at-most",
            "A board has as many players as seats taken, and five at most.",
            "SELECT concat('board ', id) FROM board WHERE players > "
                + SuDuelKuRules.PLAYERS_MAX
                + " OR players <> (SELECT count(*) FROM seat_of_board s WHERE s.board = board.id)"),
        Invariant.ofQuery(
            "points-by-the-rules",
            "A player's points and mistakes are those of their moves.",
            "SELECT concat('board ', s.board, ' seat ', s.seat) FROM seat_of_board s"
                + " WHERE points <> (SELECT coalesce(sum(CASE WHEN hit = 1 THEN "
                + SuDuelKuRules.RIGHT
                + " ELSE -"
                + SuDuelKuRules.WRONG
                + " END), 0) FROM board_move m WHERE m.board = s.board AND m.seat = s.seat)"
                + " OR mistakes <> (SELECT count(*) FROM board_move m WHERE m.board = s.board"
                + " AND m.seat = s.seat AND hit = 0)"),
        Invariant.ofQuery(
            "a-cell-is-won-once",
            "Only one move fills a cell.",
            "SELECT concat('board ', board, ' cell ', cell) FROM board_move WHERE hit = 1"
                + " GROUP BY board, cell HAVING count(*) > 1"),
        new Invariant(
            "one-solution",
            "A board has one solution, and what is filled agrees with it and with the moves.",
            SuDuelKuApplication::wrongBoards),
        new Invariant(
            "winner-leads",
            "A full board has been won by the first of its ranking, and no other has a winner.",
            SuDuelKuApplication::wrongWinners));
  }

  private record Stored(int number, String puzzle, String solution, String cells, int winner) {}

  private record Move(int cell, int digit) {}

  private static List<Stored> boards(Sql sql) {
    return sql.all(
        row ->
            new Stored(
                row.getInt(1), row.getString(2), row.getString(3), row.getString(4), row.getInt(5)),
        "SELECT id, puzzle, solution, cells, winner FROM board");
  }

  private static List<String> wrongBoards(Sql sql) {
    List<String> wrong = new ArrayList<>();
    for (Stored board : boards(sql)) {
      StringBuilder cells = new StringBuilder(board.puzzle);
      for (Move move :
          sql.all(
              row -> new Move(row.getInt(1), row.getInt(2)),
              "SELECT cell, digit FROM board_move WHERE board = ? AND hit = 1",
              board.number)) {
        cells.setCharAt(move.cell, (char) ('0' + move.digit));
      }
      boolean agrees = cells.toString().equals(board.cells);
      for (int i = 0; i < Sudoku.CELLS; i++) {
        agrees &= cells.charAt(i) == '0' || cells.charAt(i) == board.solution.charAt(i);
      }
      if (!agrees
          || Sudoku.countSolutions(board.puzzle, 2) != 1
          || Sudoku.countSolutions(board.solution, 2) != 1) {
        wrong.add("board " + board.number);
      }
    }
    return wrong;
  }

  private static List<String> wrongWinners(Sql sql) {
    List<String> wrong = new ArrayList<>();
    for (Stored board : boards(sql)) {
      boolean full = board.cells.indexOf('0') < 0;
      int first = full ? SuDuelKuRules.ranking(sql, board.number).getFirst().seat() : 0;
      if (board.winner != first) {
        wrong.add("board " + board.number);
      }
    }
    return wrong;
  }
}
