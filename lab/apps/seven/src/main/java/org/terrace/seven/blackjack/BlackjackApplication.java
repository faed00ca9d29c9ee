package org.terrace.seven.blackjack;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** Blackjack: any number of players against one house. */
public final class BlackjackApplication implements Application<Blackjack> {
  private static final long HOUSE_CHIPS = 1_000_000_000;

  /** Hands that are judged again at once: the whole table need not fit into memory. */
  private static final int HANDS_AT_ONCE = 1_000;

  private record Key(String player, long number) {}

  @Override
  public String name() {
    return "blackjack";
  }

  @Override
  public Published published() {
    return new Published("EJB", Style.WARM_PASSIVE, 30, 56, 100);
  }

  @Override
  public Class<Blackjack> service() {
    return Blackjack.class;
  }

  @Override
  public Blackjack rules(TimeSource time) {
    return new BlackjackRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE house (
          id INT PRIMARY KEY,
          chips BIGINT NOT NULL,
          chips_in_play BIGINT NOT NULL)
        """,
        """
        CREATE TABLE player (
          name VARCHAR(24) PRIMARY KEY,
          chips BIGINT NOT NULL,
          last_hand BIGINT NOT NULL)
        """,
        """
        CREATE TABLE hand (
          player VARCHAR(24) NOT NULL,
          number BIGINT NOT NULL,
          bet INT NOT NULL,
          deck VARCHAR(104) NOT NULL,
          dealt INT NOT NULL,
          cards VARCHAR(104) NOT NULL,
          dealer_cards VARCHAR(104) NOT NULL,
          result VARCHAR(16) NOT NULL,
          PRIMARY KEY (player, number),
          FOREIGN KEY (player) REFERENCES player (name))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("hand", "player", "house");
  }

  @Override
  public void seed(Sql sql) {
    sql.update(
        "INSERT INTO house (id, chips, chips_in_play) VALUES (1, ?, ?)", HOUSE_CHIPS, HOUSE_CHIPS);
  }

  @Override
  public Workload<Blackjack> workload(long seed, int client, int replyBytes) {
    return new BlackjackWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "chips-conserved",
            "The chips of the house, of the players and in open bets are all there ever were.",
            "SELECT concat('chips of the house: ', chips) FROM house WHERE chips_in_play <> chips"
                + " + (SELECT coalesce(sum(chips), 0) FROM player)"
                + " + (SELECT coalesce(sum(bet), 0) FROM hand WHERE result = 'OPEN')"),
        Invariant.ofQuery(
            "chips-never-negative",
            "Nobody plays with chips they do not have.",
            "SELECT name FROM player WHERE chips < 0"),
        Invariant.ofQuery(
            "one-hand-at-a-time",
            "Only the last hand of a player may be open.",
            "SELECT concat(player, ' hand ', number) FROM hand WHERE result = 'OPEN'"
                + " AND number < (SELECT last_hand FROM player WHERE name = hand.player)"),
        new Invariant(
            "hands-by-the-rules",
            "Every hand was dealt from its deck and judged by the rules.",
            BlackjackApplication::wrongHands));
  }

  private static List<String> wrongHands(Sql sql) {
    List<String> wrong = new ArrayList<>();
    List<Key> keys =
        sql.all(
            row -> new Key(row.getString(1), row.getLong(2)),
            "SELECT player, number FROM hand ORDER BY player, number");
    for (int from = 0; from < keys.size(); from += HANDS_AT_ONCE) {
      Key first = keys.get(from);
      sql
          .all(
              row ->
                  isWrong(
                          new Hand(
                              row.getLong(2),
                              row.getInt(3),
                              row.getString(4),
                              row.getInt(5),
                              row.getString(6),
                              row.getString(7),
                              Result.valueOf(row.getString(8))))
                      ? row.getString(1) + " hand " + row.getLong(2)
                      : "",
              "SELECT player, number, bet, deck, dealt, cards, dealer_cards, result FROM hand"
                  + " WHERE player > ? OR (player = ? AND number >= ?)"
                  + " ORDER BY player, number LIMIT "
                  + HANDS_AT_ONCE,
              first.player,
              first.player,
              first.number)
          .stream()
          .filter(found -> !found.isEmpty())
          .forEach(wrong::add);
    }
    return wrong;
  }

  /** Deals the hand again: all cards out of the deck once, and the result that they mean. */
  private static boolean isWrong(Hand hand) {
    boolean wholeDeck =
        IntStream.range(0, Cards.DECK).mapToObj(i -> Cards.at(hand.deck(), i)).distinct().count()
            == Cards.DECK;
    int taken = Cards.count(hand.cards()) - 2;
    StringBuilder cards = new StringBuilder(Cards.at(hand.deck(), 0) + Cards.at(hand.deck(), 2));
    StringBuilder dealers = new StringBuilder(Cards.at(hand.deck(), 1) + Cards.at(hand.deck(), 3));
    for (int place = 4; place < hand.dealt(); place++) {
      (place < 4 + taken ? cards : dealers).append(Cards.at(hand.deck(), place));
    }
    boolean asDealt =
        cards.toString().equals(hand.cards()) && dealers.toString().equals(hand.dealerCards());
    if (hand.result() == Result.OPEN) {
      return !wholeDeck
          || !asDealt
          || Cards.total(hand.cards()) > Cards.BEST_TOTAL
          || Cards.isBlackjack(hand.cards())
          || Cards.isBlackjack(hand.dealerCards());
    }
    boolean dealerDone =
        hand.result() == Result.BUST
            || Cards.isBlackjack(hand.cards())
            || !Cards.dealerTakesOne(hand.dealerCards());
    return !wholeDeck
        || !asDealt
        || !dealerDone
        || Cards.judge(hand.cards(), hand.dealerCards()) != hand.result();
  }
}
