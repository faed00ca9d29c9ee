package org.terrace.seven.ejbay;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * An auction as everybody sees it.
 *
 * @param number of the auction
 * @param title what is offered, in a few words
 * @param seller who offers it
 * @param state where it stands
 * @param cents the highest bid, or the least that the first must be
 * @param bids how many there are
 * @param leader who has bid most; empty if nobody has
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Auction(
    @FieldNumber(1) long number,
    @FieldNumber(2) String title,
    @FieldNumber(3) String seller,
    @FieldNumber(4) AuctionState state,
    @FieldNumber(5) int cents,
    @FieldNumber(6) int bids,
    @FieldNumber(7) String leader,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  static Auction of(
      long number,
      String title,
      String seller,
      AuctionState state,
      int cents,
      int bids,
      String leader,
      int replyBytes) {
    return Padding.to(
        replyBytes, new Auction(number, title, seller, state, cents, bids, leader, null, null));
  }
}
