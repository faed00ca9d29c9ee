package org.terrace.seven.application;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;

/**
 * A reply that is a whole number: a ticket, a price, a count; what it counts is said at the method.
 *
 * @param value the number
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record NumberReply(
    @FieldNumber(1) long value,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** A number, in exactly that many bytes. */
  public static NumberReply of(long value, int replyBytes) {
    return Padding.to(replyBytes, new NumberReply(value, null, null));
  }
}
