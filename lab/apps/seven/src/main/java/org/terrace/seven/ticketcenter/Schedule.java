package org.terrace.seven.ticketcenter;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.FieldNumber;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;

/**
 * A list of departures.
 *
 * @param departures earliest first
 * @param padding of no meaning
 * @param rest of no meaning
 */
public record Schedule(
    @FieldNumber(1) List<Departure> departures,
    @FieldNumber(14) @Nullable String padding,
    @FieldNumber(15) @Nullable String rest)
    implements Reply {

  /** Copies the list. */
  public Schedule {
    departures = List.copyOf(departures);
  }

  static Schedule of(List<Departure> departures, int replyBytes) {
    return Padding.to(replyBytes, new Schedule(departures, null, null));
  }
}
