package org.terrace.analysis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.core.Intervals;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The events of one kind on one node.
 *
 * @param kind their kind
 * @param node their node
 * @param direct when they took place; an instant is given the time it is taken to act
 * @param influence when a stall may begin because of them: {@code direct} and a little longer
 */
record EventGroup(String kind, String node, Intervals direct, Intervals influence) {
  private static final String FAULT_PREFIX = "fault-";
  private static final String PHASE_PREFIX = "phase-";

  /**
   * The kinds of events that cause no stall: of the capture, of the connections of a server that
   * stands still, of those that waited for it, and of the watch itself.
   */
  private static final Set<String> NO_CAUSES =
      Set.of(
          EventKinds.CAPTURE_LOSS,
          EventKinds.CAPTURE_DROPS,
          EventKinds.TCP_ZERO_WINDOW,
          EventKinds.TCP_RESET,
          EventKinds.TCP_REFUSED,
          EventKinds.SLOW_STATEMENT,
          EventKinds.SOCKET_READ,
          EventKinds.SOCKET_WRITE,
          EventKinds.WATCHED,
          EventKinds.NOT_VISIBLE);

  /** The kinds of events that hold up a server by what is asked of it. */
  private static final Set<String> DEMAND = Set.of(EventKinds.BURST, EventKinds.FAULT_BURST);

  /** The kinds of events that tell that something was short, and not what took it. */
  private static final Set<String> READINGS =
      Set.of(
          EventKinds.CPU_PRESSURE,
          EventKinds.MEMORY_PRESSURE,
          EventKinds.IO_PRESSURE,
          EventKinds.MEMORY_RECLAIM,
          EventKinds.WRITEBACK);

  /** The period that the kernel gives a quota unless it is told otherwise. */
  private static final int KERNELS_QUOTA_MILLIS = 100;

  private static final int LONGEST_QUOTA_MILLIS = 1_000;
  private static final double OFTEN = 0.005;

  /**
   * The groups of all events that touch a stretch of time and can act: phases, what the capture
   * lost, and what is a consequence alone cannot.
   */
  static Map<String, EventGroup> of(List<Event> events, Stretch stretch) {
    Map<String, List<Event>> byName =
        events.stream()
            .filter(event -> !event.kind().startsWith(PHASE_PREFIX))
            .filter(event -> !NO_CAUSES.contains(event.kind()))
            .collect(
                Collectors.groupingBy(
                    event -> event.kind() + '\0' + event.node(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    Map<String, EventGroup> groups = new LinkedHashMap<>();
    byName.forEach((name, list) -> {
      EventGroup group = of(list, stretch.startNanos(), stretch.endNanos());
      if (group.influence.count() > 0) {
        groups.put(name, group);
      }
    });
    return groups;
  }

  private static EventGroup of(List<Event> events, long from, long to) {
    long[] starts = events.stream().mapToLong(Event::startNanos).toArray();
    long[] ends = events.stream().mapToLong(EventGroup::directEnd).toArray();
    long[] influences =
        events.stream().mapToLong(event -> directEnd(event) + Attribution.LEAD_NANOS).toArray();
    return new EventGroup(
        events.getFirst().kind(),
        events.getFirst().node(),
        Intervals.union(starts, ends, from, to),
        Intervals.union(starts, influences, from, to));
  }

  private static long directEnd(Event event) {
    if (event.kind().equals(EventKinds.FAULT_KILL)) {
      return event.endNanos() + Attribution.KILL_NANOS;
    }
    return event.endNanos() > event.startNanos()
        ? event.endNanos()
        : event.endNanos() + Attribution.INSTANT_NANOS;
  }

  /**
   * The period in milliseconds of the quota that withholds processor time from a server, where that
   * happens in at least {@value #OFTEN} of a stretch of time; else zero.
   */
  static int quotaMillis(String server, List<Event> events, Stretch stretch) {
    List<Event> throttled =
        events.stream()
            .filter(event -> event.kind().equals(EventKinds.CPU_THROTTLED))
            .filter(event -> event.node().equals(server))
            .toList();
    if (throttled.isEmpty()) {
      return 0;
    }
    EventGroup group = of(throttled, stretch.startNanos(), stretch.endNanos());
    if (group.direct.length() < OFTEN * (stretch.endNanos() - stretch.startNanos())) {
      return 0;
    }
    String micros = throttled.getFirst().attributes().get(EventKinds.PERIOD_MICROS);
    return micros == null
        ? KERNELS_QUOTA_MILLIS
        : Math.clamp(Math.round(Long.parseLong(micros) / 1e3), 1, LONGEST_QUOTA_MILLIS);
  }

  /**
   * The times in which the server passes on what came to it while it stood still in these events:
   * after each for as long as it was.
   */
  EventGroup released(Intervals stoodStill, Stretch stretch) {
    long[] starts = new long[direct.count()];
    long[] ends = new long[starts.length];
    for (int i = 0; i < starts.length; i++) {
      if (stoodStill.overlap(direct.start(i), direct.end(i)) > 0) {
        starts[i] = direct.end(i) - Attribution.LEAD_NANOS;
        ends[i] = 2 * direct.end(i) - direct.start(i) + Attribution.LEAD_NANOS;
      }
    }
    Intervals after = Intervals.union(starts, ends, stretch.startNanos(), stretch.endNanos());
    return new EventGroup(kind, node, after, after);
  }

  /**
   * The overlap with a later server's congested stretches of what would be released ({@link
   * #released}), were the events moved by a time.
   */
  long releasedOverlap(Intervals stoodStill, Intervals congested, long moved) {
    long sum = 0;
    long counted = Long.MIN_VALUE;
    int next = 0;
    for (int i = 0; i < stoodStill.count(); i++) {
      int first = Math.max(next, direct.firstEndingAfter(stoodStill.start(i) - moved));
      for (next = first;
          next < direct.count() && direct.start(next) + moved < stoodStill.end(i);
          next++) {
        long end = direct.end(next) + moved;
        long until = end + direct.end(next) - direct.start(next) + Attribution.LEAD_NANOS;
        long from = Math.max(counted, end - Attribution.LEAD_NANOS);
        sum += from < until ? congested.overlap(from, until) : 0;
        counted = Math.max(counted, until);
      }
    }
    return sum;
  }

  boolean actsByDemand() {
    return DEMAND.contains(kind);
  }

  /** Whether events of a kind only tell that something was short. */
  static boolean isReading(String kind) {
    return READINGS.contains(kind);
  }

  boolean isFault() {
    return kind.startsWith(FAULT_PREFIX);
  }
}
