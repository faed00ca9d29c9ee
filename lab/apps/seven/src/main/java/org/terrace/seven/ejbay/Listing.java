package org.terrace.seven.ejbay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A list of auctions.
 *
 * @param auctions newest first
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Listing(
    @FieldNumber(1) List<ListingLine> auctions,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Listing {
    auctions = List.copyOf(auctions);
  }

  static Listing of(List<ListingLine> auctions, int replyBytes) {
    return Padding.to(replyBytes, new Listing(auctions, null, null));
  }
}
