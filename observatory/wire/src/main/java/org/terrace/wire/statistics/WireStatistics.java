package org.terrace.wire.statistics;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of what was read from a capture and what was lost. Immutable.
 *
 * @param counts a count for every {@link WireCount}
 */
public record WireStatistics(Map<WireCount, Long> counts) {
  /** Copies the counts and sets those that are absent to zero. */
  public WireStatistics {
    Map<WireCount, Long> copy = new EnumMap<>(WireCount.class);
    for (WireCount count : WireCount.values()) {
      copy.put(count, counts.getOrDefault(count, 0L));
    }
    counts = Collections.unmodifiableMap(copy);
  }

  /** One count. */
  public long of(WireCount count) {
    return counts.getOrDefault(count, 0L);
  }

  /** Packets read. */
  public long packets() {
    return of(WireCount.PACKETS);
  }

  /** Bytes of those packets on the wire. */
  public long bytes() {
    return of(WireCount.BYTES);
  }

  /** Packets that the kernel or the capture file say were lost. */
  public long droppedPackets() {
    return of(WireCount.DROPPED_PACKETS);
  }

  /** Stretches of TCP streams that were never seen. */
  public long gaps() {
    return of(WireCount.GAPS);
  }

  /** Connections that were already open when they were first seen. */
  public long midStreamConnections() {
    return of(WireCount.MID_STREAM_CONNECTIONS);
  }

  /** A sentence for everything that makes the results less complete or less exact. */
  public List<String> losses() {
    return Arrays.stream(WireCount.values())
        .filter(count -> count.isLoss() && of(count) > 0)
        .map(count -> count.sentence(of(count)))
        .toList();
  }
}
