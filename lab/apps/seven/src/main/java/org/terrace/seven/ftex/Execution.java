package org.terrace.seven.ftex;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * The immediate outcome of an order.
 *
 * @param stock the stock's symbol
 * @param order the order's number among those of its stock
 * @param filled shares that changed hands
 * @param cents what they cost in all
 * @param waiting shares that wait in the book
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Execution(
    @FieldNumber(1) String stock,
    @FieldNumber(2) long order,
    @FieldNumber(3) int filled,
    @FieldNumber(4) long cents,
    @FieldNumber(5) int waiting,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  static Execution of(
      String stock, long order, int filled, long cents, int waiting, int replyBytes) {
    return Padding.to(replyBytes, new Execution(stock, order, filled, cents, waiting, null, null));
  }
}
