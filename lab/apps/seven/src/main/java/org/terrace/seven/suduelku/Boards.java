package org.terrace.seven.suduelku;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A list of boards.
 *
 * @param boards newest first
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Boards(
    @FieldNumber(1) List<OpenBoard> boards,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Boards {
    boards = List.copyOf(boards);
  }

  static Boards of(List<OpenBoard> boards, int replyBytes) {
    return Padding.to(replyBytes, new Boards(boards, null, null));
  }
}
