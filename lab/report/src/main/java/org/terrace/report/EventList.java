package org.terrace.report;

import java.util.Comparator;
import java.util.List;
import org.terrace.observation.Event;

/** The events of a node that a page has room for. */
final class EventList {
  /** Events of one node on the page; the longest are kept. */
  static final int LIMIT = 2_000;

  private EventList() {}

  /** The longest events of a node, in order of time. */
  static List<Event> shown(Content content, String node) {
    List<Event> events = content.eventsOf(node);
    if (events.size() <= LIMIT) {
      return events;
    }
    return events.stream()
        .sorted(
            Comparator.comparingLong((Event event) -> event.startNanos() - event.endNanos())
                .thenComparingLong(Event::startNanos))
        .limit(LIMIT)
        .sorted(Comparator.comparingLong(Event::startNanos))
        .toList();
  }
}
