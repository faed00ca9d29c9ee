package org.terrace.wire.statistics;

import java.util.EnumMap;
import java.util.Map;

/** The counts of a capture while it is read. Confined to one thread. */
public final class Counters {
  private final long[] values = new long[WireCount.values().length];

  /** Adds one. */
  public void increment(WireCount count) {
    values[count.ordinal()]++;
  }

  /** Adds a number that is not negative. */
  public void add(WireCount count, long amount) {
    values[count.ordinal()] += amount;
  }

  /** The count so far. */
  public long of(WireCount count) {
    return values[count.ordinal()];
  }

  /** The counts as a value. */
  public WireStatistics snapshot() {
    Map<WireCount, Long> counts = new EnumMap<>(WireCount.class);
    for (WireCount count : WireCount.values()) {
      counts.put(count, of(count));
    }
    return new WireStatistics(counts);
  }
}
