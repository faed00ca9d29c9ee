package org.terrace.seven.ejbay;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.TextReply;

/**
 * The service of eJBay. Prices are in cents. What a member bids is set aside until somebody bids
 * more or the auction is closed. The last argument of every method is the size of its reply in
 * bytes, see {@link org.terrace.seven.application.Padding}.
 */
public interface Ejbay {

  /** Makes a profile with first money and replies the cents. Refuses {@code name-taken}. */
  @Update
  NumberReply register(String member, int replyBytes);

  /**
   * Offers something and replies the auction's number. Refuses {@code unknown-member}, {@code
   * unknown-category} and {@code bad-offer}.
   *
   * @param minutes after which nobody can bid any more
   */
  @Update
  NumberReply post(
      String seller,
      String category,
      String title,
      String description,
      int firstCents,
      int minutes,
      int replyBytes);

  /**
   * Bids. Refuses {@code unknown-member}, {@code unknown-auction}, {@code auction-over}, {@code
   * own-auction}, {@code bid-too-low} and {@code not-enough-cash}.
   */
  @Update
  Auction bid(String member, long auction, int cents, int replyBytes);

  /**
   * Ends an auction: the seller at any time, others once its time is over. The money of the highest
   * bid goes to the seller. Refuses {@code unknown-auction}, {@code auction-over} and {@code
   * not-yet}.
   */
  @Update
  Auction close(String member, long auction, int replyBytes);

  /** An auction. Refuses {@code unknown-auction}. */
  @Read
  Auction look(long auction, int replyBytes);

  /** The open auctions of a category, newest first, at most three. */
  @Read
  Listing list(String category, int replyBytes);

  /** The description of the offer, in full. Refuses {@code unknown-auction}. */
  @Read
  TextReply describe(long auction, int replyBytes);

  /** The cents a member can bid. Refuses {@code unknown-member}. */
  @Read
  NumberReply cash(String member, int replyBytes);
}
