package org.terrace.seven.blackjack;

import java.util.random.RandomGenerator;

/** Cards as text, two letters each: a rank of {@code 23456789TJQKA}, a suit of {@code CDHS}. */
final class Cards {
  static final int DECK = 52;
  static final int LETTERS = 2;
  static final int BEST_TOTAL = 21;

  /** The dealer takes cards up to here. */
  private static final int DEALER_STANDS = 17;

  private static final String RANKS = "23456789TJQKA";
  private static final String SUITS = "CDHS";
  private static final int ACE_OVER_ONE = 10;

  private Cards() {}

  /** A deck in random order (Fisher and Yates). */
  static String shuffled(RandomGenerator random) {
    int[] deck = new int[DECK];
    for (int i = 0; i < DECK; i++) {
      int other = random.nextInt(i + 1);
      deck[i] = deck[other];
      deck[other] = i;
    }
    StringBuilder text = new StringBuilder(DECK * LETTERS);
    for (int card : deck) {
      text.append(RANKS.charAt(card / SUITS.length())).append(SUITS.charAt(card % SUITS.length()));
    }
    return text.toString();
  }

  static int count(String cards) {
    return cards.length() / LETTERS;
  }

  /** The card of a deck at a place from 0. */
  static String at(String deck, int place) {
    return deck.substring(place * LETTERS, (place + 1) * LETTERS);
  }

  /** The value of cards: faces ten, an ace eleven unless that is too much. */
  static int total(String cards) {
    int total = 0;
    boolean ace = false;
    for (int i = 0; i < cards.length(); i += LETTERS) {
      int rank = RANKS.indexOf(cards.charAt(i));
      if (rank == RANKS.length() - 1) {
        ace = true;
        total += 1;
      } else {
        total += Math.min(rank + 2, 10);
      }
    }
    return ace && total + ACE_OVER_ONE <= BEST_TOTAL ? total + ACE_OVER_ONE : total;
  }

  static boolean isBlackjack(String cards) {
    return count(cards) == 2 && total(cards) == BEST_TOTAL;
  }

  static boolean dealerTakesOne(String dealerCards) {
    return total(dealerCards) < DEALER_STANDS;
  }

  /** The result of a hand once both have all of their cards. */
  static Result judge(String cards, String dealerCards) {
    int mine = total(cards);
    int dealers = total(dealerCards);
    if (mine > BEST_TOTAL) {
      return Result.BUST;
    } else if (isBlackjack(cards) != isBlackjack(dealerCards)) {
      return isBlackjack(cards) ? Result.BLACKJACK : Result.LOST;
    } else if (dealers > BEST_TOTAL || mine > dealers) {
      return Result.WON;
    }
    return mine == dealers ? Result.PUSH : Result.LOST;
  }
}
