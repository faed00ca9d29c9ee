package org.terrace.report;

import java.util.Comparator;
import java.util.List;
import org.terrace.observation.Event;

/** The events of a node that a page has room for. */
final class EventList {
  /** Events of all nodes on the page; each node gets an equal part, and keeps its longest. */
  private static final int LIMIT = 12_000;

  private EventList() {}

  /** The number of events of a node that the page leaves out. */
  static int leftOut(Content content, String node) {
    return content.eventsOf(node).size() - shown(content, node).size();
  }

  /** The longest events of a node, in order of time. */
  static List<Event> shown(Content content, String node) {
    List<Event> events = content.eventsOf(node);
    int limit = LIMIT / Math.max(1, content.servers().size());
    if (events.size() <= limit) {
      return events;
    }
    return events.stream()
        .sorted(
            Comparator.comparingLong((Event event) -> event.startNanos() - event.endNanos())
                .thenComparingLong(Event::startNanos))
        .limit(limit)
        .sorted(Comparator.comparingLong(Event::startNanos))
        .toList();
  }
}
