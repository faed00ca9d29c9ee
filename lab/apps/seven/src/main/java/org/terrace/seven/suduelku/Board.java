package org.terrace.seven.suduelku;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A board as its players see it.
 *
 * @param number of the board
 * @param cells the 81 cells by rows; 0 is empty
 * @param ranking best first
 * @param winner the winner's seat, 0 while the board is open
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Board(
    @FieldNumber(1) int number,
    @FieldNumber(2) String cells,
    @FieldNumber(3) List<Score> ranking,
    @FieldNumber(4) int winner,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Board {
    ranking = List.copyOf(ranking);
  }

  static Board of(int number, String cells, List<Score> ranking, int winner, int replyBytes) {
    return Padding.to(replyBytes, new Board(number, cells, ranking, winner, null, null));
  }
}
