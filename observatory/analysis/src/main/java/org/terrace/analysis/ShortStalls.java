package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.core.Intervals;
import org.terrace.core.Poisson;
import org.terrace.observation.Event;

/**
 * Stalls that are each too short to be told from chance, pooled around recurring events of the same
 * server: the messages it gave in all of them, against those usual just before. What follows an
 * event is not looked at, since a stall releases what it held.
 */
final class ShortStalls {
  private static final long BEFORE_NANOS = 100_000_000L;

  /** Fewer events do not recur. */
  private static final int FEWEST_EVENTS = 5;

  /** Messages come in groups: a page makes several calls. */
  private static final double DISPERSION = 2;

  private ShortStalls() {}

  /**
   * The kinds of events on a server that recur and are shorter than its shortest visible stall.
   *
   * @param messages when the server gave a message, ascending
   * @param lost the times of which nothing is known
   */
  static List<PooledEvents> of(
      String server,
      long[] messages,
      long shortestNanos,
      List<Event> events,
      Stretch stretch,
      Intervals lost) {
    List<EventGroup> groups =
        EventGroup.of(events, stretch).values().stream()
            .filter(group -> group.node().equals(server) && !group.isFault())
            .toList();
    List<PooledEvents> pooled = new ArrayList<>();
    for (EventGroup group : groups) {
      PooledEvents found = pooled(group, messages, shortestNanos, groups.size(), stretch, lost);
      if (found.events() >= FEWEST_EVENTS) {
        pooled.add(found);
      }
    }
    return List.copyOf(pooled);
  }

  private static PooledEvents pooled(
      EventGroup group,
      long[] messages,
      long shortestNanos,
      int tried,
      Stretch stretch,
      Intervals lost) {
    Intervals times = group.direct();
    int events = 0;
    long nanos = 0;
    double expected = 0;
    int seen = 0;
    long last = Long.MIN_VALUE / 2;
    for (int i = 0; i < times.count(); i++) {
      long start = times.start(i);
      long end = times.end(i);
      // An event in what is usual before another would make it seem less.
      boolean apart = start - last >= BEFORE_NANOS && lost.overlap(start - BEFORE_NANOS, end) == 0;
      last = end;
      if (apart && end - start < shortestNanos && start - BEFORE_NANOS >= stretch.startNanos()) {
        events++;
        nanos += end - start;
        int before = within(messages, start - BEFORE_NANOS, start);
        expected += before * (double) (end - start) / BEFORE_NANOS;
        seen += within(messages, start, end);
      }
    }
    double p = Poisson.atMost((int) Math.ceil(seen / DISPERSION), expected / DISPERSION) * tried;
    return new PooledEvents(
        group.kind(),
        events,
        events == 0 ? 0 : nanos / 1e6 / events,
        expected,
        seen,
        Math.min(1, p));
  }

  private static int within(long[] ascending, long from, long to) {
    return Distributions.upperBound(ascending, 0, ascending.length, to - 1)
        - Distributions.upperBound(ascending, 0, ascending.length, from - 1);
  }
}
