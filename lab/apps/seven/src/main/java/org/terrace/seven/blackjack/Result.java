package org.terrace.seven.blackjack;

/** The end of a hand. */
public enum Result {
  /** The player may still act. */
  OPEN,
  /** 21 with the first two cards, and the dealer has not: pays three to two. */
  BLACKJACK,
  /** Nearer to 21 than the dealer, or the dealer went over it: pays one to one. */
  WON,
  /** A sum as near to 21 as the dealer's: the bet comes back. */
  PUSH,
  /** Farther from 21 than the dealer. */
  LOST,
  /** A sum over 21. */
  BUST;

  /** The chips that go to the player when a hand with this bet, an even number, ends so. */
  int payout(int bet) {
    return switch (this) {
      case BLACKJACK -> bet + bet * 3 / 2;
      case WON -> 2 * bet;
      case PUSH -> bet;
      case OPEN, LOST, BUST -> 0;
    };
  }
}
