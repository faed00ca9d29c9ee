package org.terrace.seven.parknpark;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A list of lots.
 *
 * @param lots in the order that the method says
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Lots(
    @FieldNumber(1) List<LotLine> lots,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Lots {
    lots = List.copyOf(lots);
  }

  static Lots of(List<LotLine> lots, int replyBytes) {
    return Padding.to(replyBytes, new Lots(lots, null, null));
  }
}
