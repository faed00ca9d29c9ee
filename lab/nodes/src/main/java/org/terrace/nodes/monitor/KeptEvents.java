package org.terrace.nodes.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.observation.Event;

/** The events of a watch. Those that find no room are counted. Thread-safe. */
public final class KeptEvents {
  /** The bytes of an event without its details, with its places in lists of all. */
  private static final int EVENT_BYTES = 96;

  /** The bytes of a detail without its text. An event with three short ones was measured at 271. */
  private static final int DETAIL_BYTES = 72;

  private final ReadingRoom room;
  private final List<Event> events = new ArrayList<>();
  private long leftOut;

  /** No events yet, for which there is some room. */
  public KeptEvents(ReadingRoom room) {
    this.room = room;
  }

  /** Keeps an event, or counts it where there is no room. */
  public synchronized void add(Event event) {
    if (room.take(bytes(event))) {
      events.add(event);
    } else {
      leftOut++;
    }
  }

  private static long bytes(Event event) {
    long bytes = EVENT_BYTES;
    for (Map.Entry<String, String> detail : event.attributes().entrySet()) {
      bytes += DETAIL_BYTES + detail.getValue().length();
    }
    return bytes;
  }

  /** The events so far. */
  public synchronized List<Event> list() {
    return List.copyOf(events);
  }

  /** Forgets all events; lists of them stay as they are. */
  public synchronized void clear() {
    events.clear();
  }

  /** The number of events for which there was no room. */
  public synchronized long leftOut() {
    return leftOut;
  }
}
