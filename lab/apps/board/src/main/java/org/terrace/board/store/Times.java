package org.terrace.board.store;

import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Days as the board counts them: in UTC. */
final class Times {
  private Times() {}

  static OffsetDateTime startOf(LocalDate day) {
    return day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
