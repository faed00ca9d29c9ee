package org.terrace.analysis.evidence;

import java.util.List;
import org.terrace.core.Intervals;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The packets' evidence about one server that is not in its requests. Immutable.
 *
 * @param lost the times of which nothing can be said, because the capture lost packets
 * @param silent the times in which its host did not even acknowledge what was sent to it
 */
public record PacketEvidence(Intervals lost, Intervals silent) {
  /** No evidence beyond the requests. */
  public static final PacketEvidence NONE = new PacketEvidence(Intervals.NONE, Intervals.NONE);

  /** The part of a stall in which a host must be silent for the stall to be the host's. */
  private static final double MOST = 0.5;

  /** The evidence among some events, clipped to a stretch of time. */
  public static PacketEvidence of(String server, List<Event> events, long from, long to) {
    return new PacketEvidence(
        intervals(server, EventKinds.CAPTURE_LOSS, events, from, to),
        intervals(server, EventKinds.HOST_SILENT, events, from, to));
  }

  private static Intervals intervals(
      String server, String kind, List<Event> events, long from, long to) {
    List<Event> own =
        events.stream()
            .filter(event -> event.kind().equals(kind) && event.node().equals(server))
            .toList();
    return own.isEmpty()
        ? Intervals.NONE
        : Intervals.union(
            own.stream().mapToLong(Event::startNanos).toArray(),
            own.stream().mapToLong(Event::endNanos).toArray(),
            from,
            to);
  }

  /** Whether the host was silent in most of a stretch of time. */
  public boolean hostSilent(long fromNanos, long toNanos) {
    return silent.overlap(fromNanos, toNanos) >= MOST * (toNanos - fromNanos);
  }
}
