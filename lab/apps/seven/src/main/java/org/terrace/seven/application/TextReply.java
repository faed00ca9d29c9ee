package org.terrace.seven.application;

import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;

/**
 * A reply that is a text.
 *
 * @param text the text
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record TextReply(
    @FieldNumber(1) String text,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** A text, in exactly that many bytes. */
  public static TextReply of(String text, int replyBytes) {
    return Padding.to(replyBytes, new TextReply(text, null, null));
  }
}
