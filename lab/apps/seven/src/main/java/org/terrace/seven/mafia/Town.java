package org.terrace.seven.mafia;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A game as everybody sees it.
 *
 * @param phase where it stands
 * @param round nights so far
 * @param living the names of the living, in the order in which they joined
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Town(
    @FieldNumber(1) Phase phase,
    @FieldNumber(2) int round,
    @FieldNumber(3) List<String> living,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Town {
    living = List.copyOf(living);
  }

  static Town of(Phase phase, int round, List<String> living, int replyBytes) {
    return Padding.to(replyBytes, new Town(phase, round, living, null, null));
  }
}
