package org.terrace.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.observation.Event;

/** The events that one file tells, of one node, up to a bound. Confined to one thread. */
final class ToldEvents {
  /** At most this many events are kept of one file; the rest are counted. */
  static final int MOST = 1_000_000;

  private final String node;
  private final int most;
  private final List<Event> events = new ArrayList<>();
  private long dropped;

  ToldEvents(String node) {
    this(node, MOST);
  }

  ToldEvents(String node, int most) {
    this.node = node;
    this.most = most;
  }

  /** Adds what ended at a moment after it had lasted for a time. */
  void ended(String kind, long endNanos, double millis, Map<String, String> attributes) {
    add(kind, endNanos - Math.round(millis * 1e6), endNanos, attributes);
  }

  /** Adds an event; one that ends before it starts, as by a clock set back, is an instant. */
  void add(String kind, long startNanos, long endNanos, Map<String, String> attributes) {
    if (events.size() < most) {
      events.add(new Event(node, kind, startNanos, Math.max(startNanos, endNanos), attributes));
    } else {
      dropped++;
    }
  }

  List<Event> events() {
    return events;
  }

  /** The sentence about events beyond the bound; none where there are none. */
  List<String> notes(String file) {
    return dropped == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "--events %s: %,d events beyond the first %,d were passed over",
                file,
                dropped,
                most));
  }
}
