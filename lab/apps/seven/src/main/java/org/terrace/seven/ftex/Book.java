package org.terrace.seven.ftex;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * The head of an order book.
 *
 * @param bids best, that is dearest, first
 * @param asks best, that is cheapest, first
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Book(
    @FieldNumber(1) List<PriceLevel> bids,
    @FieldNumber(2) List<PriceLevel> asks,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the lists. */
  public Book {
    bids = List.copyOf(bids);
    asks = List.copyOf(asks);
  }

  static Book of(List<PriceLevel> bids, List<PriceLevel> asks, int replyBytes) {
    return Padding.to(replyBytes, new Book(bids, asks, null, null));
  }
}
