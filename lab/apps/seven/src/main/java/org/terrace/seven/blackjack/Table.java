package org.terrace.seven.blackjack;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A hand as its player sees it.
 *
 * @param result how it ended, or that it has not
 * @param cards the player's, two letters each: rank and suit
 * @param dealerCards the dealer's; while the hand is open only the first
 * @param total what the player's cards count
 * @param bet chips at stake
 * @param chips what the player has besides
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Table(
    @FieldNumber(1) Result result,
    @FieldNumber(2) String cards,
    @FieldNumber(3) String dealerCards,
    @FieldNumber(4) int total,
    @FieldNumber(5) int bet,
    @FieldNumber(6) long chips,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  static Table of(Hand hand, long chips, int replyBytes) {
    String shown =
        hand.result() == Result.OPEN ? hand.dealerCards().substring(0, 2) : hand.dealerCards();
    Table table =
        new Table(
            hand.result(),
            hand.cards(),
            shown,
            Cards.total(hand.cards()),
            hand.bet(),
            chips,
            null,
            null);
    return Padding.to(replyBytes, table);
  }
}
