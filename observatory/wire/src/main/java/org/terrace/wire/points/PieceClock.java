package org.terrace.wire.points;

import java.util.List;
import org.terrace.wire.file.PacketClock;

/**
 * The correction of a clock, piece by piece: which piece holds for a packet is told by its number,
 * as a clock that was set back tells one time twice. Immutable.
 *
 * @param pieces in the order of their packets
 */
record PieceClock(List<ClockPiece> pieces) implements PacketClock {
  /** The clock to which others are converted. */
  static final PieceClock REFERENCE = new PieceClock(List.of(new ClockPiece(0, 0, 0, 0)));

  PieceClock {
    pieces = List.copyOf(pieces);
  }

  @Override
  public long timeNanos(long number, long rawNanos) {
    return piece(number).convert(rawNanos);
  }

  /** The time by the clock of a packet whose converted time is known. */
  long rawNanos(long number, long timeNanos) {
    return piece(number).original(timeNanos);
  }

  private ClockPiece piece(long number) {
    int at = pieces.size() - 1;
    while (at > 0 && pieces.get(at).firstNumber() > number) {
      at--;
    }
    return pieces.get(at);
  }
}
