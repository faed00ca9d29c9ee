package org.terrace.seven.suduelku;

import java.util.List;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Sql;

/**
 * The rules of Su-Duel-Ku. Whatever changes a board locks it first, and a call locks one board at
 * most, so that calls cannot wait for each other in a circle.
 */
final class SuDuelKuRules implements SuDuelKu {
  static final int PLAYERS_MAX = 5;
  static final int RIGHT = 2;
  static final int WRONG = 1;

  private static final int HOLES = 45;
  private static final int LONGEST_NAME = 16;
  private static final int LISTED = 10;

  private record Game(
      int number, String cells, String solution, int players, int moves, int winner) {
    boolean isDone() {
      return cells.indexOf('0') < 0;
    }
  }

  @Override
  public NumberReply create(int replyBytes) {
    Sudoku.Puzzle puzzle = Sudoku.generate(Randoms.ofCall(Invocation.current().identity()), HOLES);
    Sql sql = Sql.ofThisCall();
    long number = 1 + sql.number("SELECT last_board FROM board_counter WHERE id = 1 FOR UPDATE");
    sql.update("UPDATE board_counter SET last_board = ? WHERE id = 1", number);
    sql.update(
        "INSERT INTO board (id, puzzle, solution, cells, players, moves, winner)"
            + " VALUES (?, ?, ?, ?, 0, 0, 0)",
        number,
        puzzle.puzzle(),
        puzzle.solution(),
        puzzle.puzzle());
    return NumberReply.of(number, replyBytes);
  }

  @Override
  public Boards list(int replyBytes) {
    return Boards.of(
        Sql.ofThisCall()
            .all(
                row -> new OpenBoard(row.getInt(1), row.getInt(2)),
                "SELECT id, players FROM board WHERE winner = 0 ORDER BY id DESC LIMIT " + LISTED),
        replyBytes);
  }

  @Override
  public NumberReply join(int board, String player, int replyBytes) {
    if (player.isBlank() || player.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-name", "A player has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    Game game = openGame(sql, board);
    if (game.players == PLAYERS_MAX) {
      throw new BusinessException("board-full", "Board " + board + " has all of its players.");
    }
    if (ranking(sql, board).stream().anyMatch(score -> score.player().equals(player))) {
      throw new BusinessException("name-taken", "Board " + board + " has a " + player + ".");
    }
    int seat = game.players + 1;
    sql.update(
        "INSERT INTO seat_of_board (board, seat, player, points, mistakes) VALUES (?, ?, ?, 0, 0)",
        board,
        seat,
        player);
    sql.update("UPDATE board SET players = ? WHERE id = ?", seat, board);
    return NumberReply.of(seat, replyBytes);
  }

  @Override
  public Board move(int board, int seat, int cell, int digit, int replyBytes) {
    if (cell < 0 || cell >= Sudoku.CELLS || digit < 1 || digit > 9) {
      throw new BusinessException("bad-move", "Cells are 0 to 80, digits 1 to 9.");
    }
    Sql sql = Sql.ofThisCall();
    Game game = openGame(sql, board);
    if (seat < 1 || seat > game.players) {
      throw new BusinessException("not-joined", "Board " + board + " has no seat " + seat + ".");
    }
    if (game.cells.charAt(cell) != '0') {
      throw new BusinessException("cell-filled", "Cell " + cell + " is filled.");
    }
    char letter = (char) ('0' + digit);
    boolean right = game.solution.charAt(cell) == letter;
    String cells =
        right
            ? game.cells.substring(0, cell) + letter + game.cells.substring(cell + 1)
            : game.cells;
    sql.update(
        "INSERT INTO board_move (board, number, seat, cell, digit, hit) VALUES (?, ?, ?, ?, ?, ?)",
        board,
        game.moves + 1,
        seat,
        cell,
        digit,
        right ? 1 : 0);
    sql.update(
        "UPDATE seat_of_board SET points = points + ?, mistakes = mistakes + ?"
            + " WHERE board = ? AND seat = ?",
        right ? RIGHT : -WRONG,
        right ? 0 : 1,
        board,
        seat);
    List<Score> ranking = ranking(sql, board);
    int winner = cells.indexOf('0') < 0 ? ranking.getFirst().seat() : 0;
    sql.update(
        "UPDATE board SET cells = ?, moves = moves + 1, winner = ? WHERE id = ?",
        cells,
        winner,
        board);
    return Board.of(board, cells, ranking, winner, replyBytes);
  }

  @Override
  public Board look(int board, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Game game = game(sql, board, "");
    return Board.of(board, game.cells, ranking(sql, board), game.winner, replyBytes);
  }

  /** Most points first; of these, who made fewest mistakes; of these, who came first. */
  static List<Score> ranking(Sql sql, int board) {
    return sql.all(
        row -> new Score(row.getInt(1), row.getString(2), row.getInt(3)),
        "SELECT seat, player, points FROM seat_of_board WHERE board = ?"
            + " ORDER BY points DESC, mistakes, seat",
        board);
  }

  private static Game openGame(Sql sql, int board) {
    Game game = game(sql, board, " FOR UPDATE");
    if (game.isDone()) {
      throw new BusinessException("board-done", "Board " + board + " is solved.");
    }
    return game;
  }

  private static Game game(Sql sql, int board, String lock) {
    return sql.found(
        row ->
            new Game(
                board,
                row.getString(1),
                row.getString(2),
                row.getInt(3),
                row.getInt(4),
                row.getInt(5)),
        "unknown-board",
        "There is no board " + board + ".",
        "SELECT cells, solution, players, moves, winner FROM board WHERE id = ?" + lock,
        board);
  }
}
