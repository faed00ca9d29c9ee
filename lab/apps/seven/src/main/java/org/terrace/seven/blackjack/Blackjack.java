package org.terrace.seven.blackjack;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;

/**
 * The service of Blackjack: one deck, the dealer stands on every 17, a blackjack pays three to two,
 * no splitting and no insurance. The last argument of every method is the size of its reply in
 * bytes, see {@link org.terrace.seven.application.Padding}.
 */
public interface Blackjack {

  /** Makes a profile with chips from the house and replies how many. Refuses {@code name-taken}. */
  @Update
  NumberReply register(String player, int replyBytes);

  /**
   * Gives a player who cannot bet any more the first chips again and replies how many they have
   * now. Refuses {@code not-broke}, {@code hand-open} and {@code unknown-player}.
   */
  @Update
  NumberReply buyIn(String player, int replyBytes);

  /**
   * Bets and deals. Refuses {@code unknown-player}, {@code hand-open}, {@code bad-bet} and {@code
   * not-enough-chips}.
   *
   * @param bet an even number of chips within the table's limits
   */
  @Update
  Table deal(String player, int bet, int replyBytes);

  /** Takes a card. Refuses {@code unknown-player} and {@code no-hand}. */
  @Update
  Table hit(String player, int replyBytes);

  /** Takes no more cards; the dealer plays. Refuses as {@link #hit} does. */
  @Update
  Table stand(String player, int replyBytes);

  /**
   * Doubles the bet, takes one card and no more. Refuses as {@link #hit} does, and {@code
   * not-enough-chips}, and {@code too-late} after the first two cards.
   */
  @Update
  Table doubleDown(String player, int replyBytes);

  /** The player's last hand. Refuses {@code unknown-player} and {@code no-hand}. */
  @Read
  Table look(String player, int replyBytes);
}
