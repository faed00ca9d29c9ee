package org.terrace.observation;

import java.io.IOException;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;

/** The columns of the events table. */
final class EventColumns extends TableColumns<Event> {
  private final Column.Text<Event> node = text("node", Event::node);
  private final Column.Text<Event> kind = text("kind", Event::kind);
  private final Column.Whole<Event> start = whole("startNanos", Event::startNanos);
  private final Column.Whole<Event> end = whole("endNanos", Event::endNanos);
  private final Column.Pairs<Event> attributes = pairs("attributes", Event::attributes);

  EventColumns() {
    super("events");
  }

  @Override
  protected Event row(ParquetRow row) throws IOException {
    String of = row.text(node, "");
    long startNanos = row.whole(start, 0);
    long endNanos = row.whole(end, 0);
    if (endNanos < startNanos) {
      throw new IOException(
          row.where()
              + "an event of %s has endNanos %d before startNanos %d"
                  .formatted(of, endNanos, startNanos));
    }
    return new Event(of, row.text(kind, ""), startNanos, endNanos, row.pairs(attributes));
  }
}
