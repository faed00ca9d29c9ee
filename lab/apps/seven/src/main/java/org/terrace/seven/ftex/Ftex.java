package org.terrace.seven.ftex;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;

/**
 * The service of FTEX. Prices are in cents. The last argument of every method is the size of its
 * reply in bytes, see {@link org.terrace.seven.application.Padding}.
 *
 * <p>A limit order is matched at once with the best orders of the other side, at their prices, and
 * what is left of it waits in the book. What it may cost is set aside: money of a buyer, shares of
 * a seller. A market order is matched at once, and what is left of it is dropped.
 */
public interface Ftex {

  /**
   * Makes a profile with first cash and shares, and replies the cents. Refuses {@code name-taken}.
   */
  @Update
  NumberReply register(String trader, int replyBytes);

  /**
   * Places a limit order. Refuses {@code unknown-trader}, {@code unknown-stock}, {@code bad-order},
   * {@code not-enough-cash}, {@code not-enough-shares}, and {@code self-match} where it would meet
   * an order of the same trader.
   */
  @Update
  Execution limit(
      String trader, String stock, Side side, int shares, int centsEach, int replyBytes);

  /** Places a market order. Refuses as {@link #limit} does. */
  @Update
  Execution market(String trader, String stock, Side side, int shares, int replyBytes);

  /**
   * Takes an order off the book and replies how many shares were left of it. Refuses {@code
   * unknown-stock}, {@code unknown-order}, {@code not-yours} and {@code order-closed}.
   */
  @Update
  NumberReply cancel(String trader, String stock, long order, int replyBytes);

  /** The best waiting orders of a stock, three a side at most. Refuses {@code unknown-stock}. */
  @Read
  Book book(String stock, int replyBytes);

  /** The cents a trader can spend. Refuses {@code unknown-trader}. */
  @Read
  NumberReply cash(String trader, int replyBytes);
}
