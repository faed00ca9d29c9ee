package org.terrace.collections;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The recent updates of all writers, kept so that they can be sent again: the oldest go when there
 * are too many bytes, or when everybody has them. Whatever has gone is repaired from the state
 * itself. Confined.
 */
final class DeltaLog {
  private static final int ENTRY_OVERHEAD_BYTES = 96;

  private final long bytesMax;
  private final Map<Long, TreeMap<Long, byte[]>> writers = new HashMap<>();
  private final ArrayDeque<Dot> order = new ArrayDeque<>();
  private Map<Long, Long> lastAtTick = Map.of();
  private Map<Long, Long> lastAtTickBefore = Map.of();
  private long bytes;

  DeltaLog(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  void add(long writer, long sequence, byte[] delta) {
    TreeMap<Long, byte[]> deltas = writers.computeIfAbsent(writer, absent -> new TreeMap<>());
    if (deltas.putIfAbsent(sequence, delta) != null) {
      return;
    }
    order.addLast(new Dot(writer, sequence));
    bytes += delta.length + ENTRY_OVERHEAD_BYTES;
    while (bytes > bytesMax && !order.isEmpty()) {
      dropOldest();
    }
  }

  /** The updates of the writer in that range that are still here, in order; not to be changed. */
  NavigableMap<Long, byte[]> get(long writer, SequenceSet.Range range) {
    TreeMap<Long, byte[]> deltas = writers.get(writer);
    return deltas == null
        ? Collections.emptyNavigableMap()
        : deltas.subMap(range.first(), true, range.last(), true);
  }

  /** Drops the oldest updates as long as everybody in the group is known to have applied them. */
  void dropWhileKnown(Predicate<Dot> knownByAll) {
    while (!order.isEmpty() && knownByAll.test(order.peekFirst())) {
      dropOldest();
    }
  }

  /** Time has passed: what has been here since the tick before has had time to get everywhere. */
  void tick() {
    Map<Long, Long> last = new HashMap<>();
    writers.forEach((writer, deltas) -> last.put(writer, deltas.lastKey()));
    lastAtTickBefore = lastAtTick;
    lastAtTick = last;
  }

  /**
   * The spans without the updates that came here so lately that they may well be on their way to
   * everybody else.
   */
  List<VersionVector.Span> withoutRecent(List<VersionVector.Span> spans) {
    List<VersionVector.Span> rest = new ArrayList<>();
    for (VersionVector.Span span : spans) {
      SequenceSet.Range range = span.range();
      long last = Math.min(range.last(), lastNotRecent(span.writer()));
      if (last >= range.first()) {
        rest.add(new VersionVector.Span(span.writer(), new SequenceSet.Range(range.first(), last)));
      }
    }
    return rest;
  }

  private long lastNotRecent(long writer) {
    TreeMap<Long, byte[]> deltas = writers.get(writer);
    if (deltas == null) {
      return Long.MAX_VALUE;
    }
    Long last = lastAtTickBefore.get(writer);
    if (last == null) {
      return deltas.firstKey() - 1;
    }
    return deltas.lastKey() > last ? last : Long.MAX_VALUE;
  }

  int size() {
    return order.size();
  }

  long bytes() {
    return bytes;
  }

  private void dropOldest() {
    Dot oldest = order.removeFirst();
    TreeMap<Long, byte[]> deltas = writers.get(oldest.writer());
    byte[] dropped = deltas == null ? null : deltas.remove(oldest.sequence());
    if (dropped != null) {
      bytes -= dropped.length + ENTRY_OVERHEAD_BYTES;
    }
    if (deltas != null && deltas.isEmpty()) {
      writers.remove(oldest.writer());
    }
  }
}
