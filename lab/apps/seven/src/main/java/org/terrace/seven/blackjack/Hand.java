package org.terrace.seven.blackjack;

/**
 * A hand as the database keeps it.
 *
 * @param number among the hands of its player, from 1
 * @param bet chips at stake
 * @param deck the shuffled deck it is dealt from
 * @param dealt how many cards of the deck are out
 * @param cards the player's
 * @param dealerCards the dealer's
 * @param result how it ended
 */
record Hand(
    long number, int bet, String deck, int dealt, String cards, String dealerCards, Result result) {

  /** Two cards each, in turn; ended at once if either has a blackjack. */
  static Hand dealt(long number, int bet, String deck) {
    String cards = Cards.at(deck, 0) + Cards.at(deck, 2);
    String dealerCards = Cards.at(deck, 1) + Cards.at(deck, 3);
    Hand hand = new Hand(number, bet, deck, 4, cards, dealerCards, Result.OPEN);
    return Cards.isBlackjack(cards) || Cards.isBlackjack(dealerCards) ? hand.judged() : hand;
  }

  /** The hand after one more card; ended if that was too much. */
  Hand hit() {
    Hand next =
        new Hand(number, bet, deck, dealt + 1, cards + Cards.at(deck, dealt), dealerCards, result);
    return Cards.total(next.cards) > Cards.BEST_TOTAL ? next.judged() : next;
  }

  /** The hand after the dealer has played. */
  Hand stand() {
    String dealers = dealerCards;
    int next = dealt;
    while (Cards.dealerTakesOne(dealers)) {
      dealers += Cards.at(deck, next++);
    }
    return new Hand(number, bet, deck, next, cards, dealers, result).judged();
  }

  /** The hand after the bet was doubled for one last card. */
  Hand doubled() {
    Hand next = new Hand(number, 2 * bet, deck, dealt, cards, dealerCards, result).hit();
    return next.result == Result.OPEN ? next.stand() : next;
  }

  int payout() {
    return result.payout(bet);
  }

  private Hand judged() {
    return new Hand(number, bet, deck, dealt, cards, dealerCards, Cards.judge(cards, dealerCards));
  }
}
