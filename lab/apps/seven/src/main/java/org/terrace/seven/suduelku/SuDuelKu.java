package org.terrace.seven.suduelku;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;

/**
 * The service of Su-Duel-Ku. Players fill one board together: a right digit earns {@value
 * SuDuelKuRules#RIGHT} points, a wrong one costs {@value SuDuelKuRules#WRONG}. When the board is
 * full, the first of the ranking has won. The last argument of every method is the size of its
 * reply in bytes, see {@link org.terrace.seven.application.Padding}.
 */
public interface SuDuelKu {

  /** Makes a board with exactly one solution and replies its number. */
  @Update
  NumberReply create(int replyBytes);

  /** The numbers and players of the newest open boards, at most ten. */
  @Read
  Boards list(int replyBytes);

  /**
   * Takes a seat and replies its number, from 1. Refuses {@code unknown-board}, {@code bad-name},
   * {@code name-taken}, {@code board-full} beyond {@value SuDuelKuRules#PLAYERS_MAX} players, and
   * {@code board-done}.
   */
  @Update
  NumberReply join(int board, String player, int replyBytes);

  /**
   * Puts a digit into a cell. Refuses {@code unknown-board}, {@code board-done}, {@code
   * not-joined}, {@code bad-move} and {@code cell-filled}.
   *
   * @param seat the player's
   * @param cell 0 to 80, by rows
   * @param digit 1 to 9
   */
  @Update
  Board move(int board, int seat, int cell, int digit, int replyBytes);

  /** A board and its ranking. Refuses {@code unknown-board}. */
  @Read
  Board look(int board, int replyBytes);
}
