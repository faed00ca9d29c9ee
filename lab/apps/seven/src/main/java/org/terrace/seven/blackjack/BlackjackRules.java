package org.terrace.seven.blackjack;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Sql;

/**
 * The rules of Blackjack. A call locks its player first and the house last, so that calls cannot
 * wait for each other in a circle and hold the house, which all share, only for a moment.
 */
final class BlackjackRules implements Blackjack {
  static final int FIRST_CHIPS = 1_000;
  static final int LEAST_BET = 2;
  static final int HIGHEST_BET = 500;

  private static final int LONGEST_NAME = 24;

  private record Player(String name, long chips, long lastHand) {}

  @Override
  public NumberReply register(String player, int replyBytes) {
    if (player.isBlank() || player.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-name", "A player has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    if (sql.first(row -> 1, "SELECT 1 FROM player WHERE name = ?", player).isPresent()) {
      throw new BusinessException("name-taken", "There is a player " + player + ".");
    }
    sql.update("INSERT INTO player (name, chips, last_hand) VALUES (?, ?, 0)", player, FIRST_CHIPS);
    changeHouse(sql, -FIRST_CHIPS);
    return NumberReply.of(FIRST_CHIPS, replyBytes);
  }

  @Override
  public NumberReply buyIn(String player, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Player found = player(sql, player, " FOR UPDATE");
    refuseOpenHand(sql, found);
    if (found.chips >= LEAST_BET) {
      throw new BusinessException("not-broke", player + " still has " + found.chips + " chips.");
    }
    changeChips(sql, player, FIRST_CHIPS);
    changeHouse(sql, -FIRST_CHIPS);
    return NumberReply.of(found.chips + FIRST_CHIPS, replyBytes);
  }

  @Override
  public Table deal(String player, int bet, int replyBytes) {
    if (bet < LEAST_BET || bet > HIGHEST_BET || bet % 2 != 0) {
      throw new BusinessException(
          "bad-bet", "A bet is an even number from " + LEAST_BET + " to " + HIGHEST_BET + ".");
    }
    Sql sql = Sql.ofThisCall();
    Player found = player(sql, player, " FOR UPDATE");
    refuseOpenHand(sql, found);
    refuseWithout(found, bet);
    String deck = Cards.shuffled(Randoms.unforeseeable());
    Hand hand = Hand.dealt(found.lastHand + 1, bet, deck);
    sql.update(
        "INSERT INTO hand (player, number, bet, deck, dealt, cards, dealer_cards, result)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        player,
        hand.number(),
        bet,
        deck,
        hand.dealt(),
        hand.cards(),
        hand.dealerCards(),
        hand.result().name());
    sql.update("UPDATE player SET last_hand = ? WHERE name = ?", hand.number(), player);
    return settled(sql, found, hand, bet, replyBytes);
  }

  @Override
  public Table hit(String player, int replyBytes) {
    return play(player, 0, Hand::hit, replyBytes);
  }

  @Override
  public Table stand(String player, int replyBytes) {
    return play(player, 0, Hand::stand, replyBytes);
  }

  @Override
  public Table doubleDown(String player, int replyBytes) {
    return play(player, 1, Hand::doubled, replyBytes);
  }

  @Override
  public Table look(String player, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Player found = player(sql, player, "");
    return Table.of(
        lastHand(sql, found).orElseThrow(() -> noHand(player)), found.chips, replyBytes);
  }

  private static Table play(String player, int moreBets, UnaryOperator<Hand> move, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Player found = player(sql, player, " FOR UPDATE");
    Hand before =
        lastHand(sql, found)
            .filter(hand -> hand.result() == Result.OPEN)
            .orElseThrow(() -> noHand(player));
    if (moreBets > 0 && Cards.count(before.cards()) > 2) {
      throw new BusinessException("too-late", "A bet is doubled on the first two cards only.");
    }
    int stake = moreBets * before.bet();
    refuseWithout(found, stake);
    Hand hand = move.apply(before);
    sql.update(
        "UPDATE hand SET bet = ?, dealt = ?, cards = ?, dealer_cards = ?, result = ?"
            + " WHERE player = ? AND number = ?",
        hand.bet(),
        hand.dealt(),
        hand.cards(),
        hand.dealerCards(),
        hand.result().name(),
        player,
        hand.number());
    return settled(sql, found, hand, stake, replyBytes);
  }

  /** Takes the stake from the player and, if the hand has ended, pays it out. */
  private static Table settled(Sql sql, Player player, Hand hand, int stake, int replyBytes) {
    int payout = hand.payout();
    if (payout != stake) {
      changeChips(sql, player.name, payout - stake);
    }
    if (hand.result() != Result.OPEN && hand.bet() != payout) {
      changeHouse(sql, hand.bet() - payout);
    }
    return Table.of(hand, player.chips + payout - stake, replyBytes);
  }

  private static Player player(Sql sql, String name, String lock) {
    return sql.found(
        row -> new Player(name, row.getLong(1), row.getLong(2)),
        "unknown-player",
        "There is no player " + name + ".",
        "SELECT chips, last_hand FROM player WHERE name = ?" + lock,
        name);
  }

  private static Optional<Hand> lastHand(Sql sql, Player player) {
    return sql.first(
        row ->
            new Hand(
                player.lastHand,
                row.getInt(1),
                row.getString(2),
                row.getInt(3),
                row.getString(4),
                row.getString(5),
                Result.valueOf(row.getString(6))),
        "SELECT bet, deck, dealt, cards, dealer_cards, result FROM hand"
            + " WHERE player = ? AND number = ?",
        player.name,
        player.lastHand);
  }

  private static void refuseOpenHand(Sql sql, Player player) {
    if (lastHand(sql, player).filter(hand -> hand.result() == Result.OPEN).isPresent()) {
      throw new BusinessException("hand-open", player.name + " has not ended the last hand.");
    }
  }

  private static void refuseWithout(Player player, int chips) {
    if (player.chips < chips) {
      throw new BusinessException(
          "not-enough-chips", player.name + " has " + player.chips + " chips.");
    }
  }

  private static BusinessException noHand(String player) {
    return new BusinessException("no-hand", player + " has no such hand.");
  }

  private static void changeChips(Sql sql, String player, long chips) {
    sql.update("UPDATE player SET chips = chips + ? WHERE name = ?", chips, player);
  }

  private static void changeHouse(Sql sql, long chips) {
    sql.update("UPDATE house SET chips = chips + ? WHERE id = 1", chips);
  }
}
