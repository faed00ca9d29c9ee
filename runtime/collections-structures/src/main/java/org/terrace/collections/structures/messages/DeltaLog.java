package org.terrace.collections.structures.messages;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.WriterLog;
import org.terrace.collections.structures.causality.VersionVector;

/**
 * The recent updates of all writers, kept so that they can be sent again: the oldest go when there
 * are too many bytes, or when everybody has them. Whatever has gone is repaired from the state
 * itself. Confined.
 */
public final class DeltaLog {
  private static final int ENTRY_OVERHEAD_BYTES = 40;

  /** More than one, since what others have is heard of in jumps. */
  private static final int DROPS_AN_UPDATE = 8;

  private final long bytesMax;
  private final Map<Long, WriterLog> writers = new HashMap<>();
  private long arrivals;
  private long bytes;
  private int size;

  /** A log that keeps that many bytes of updates. */
  public DeltaLog(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Keeps an update, and drops old ones that leave no room for it. */
  public void add(long writer, long sequence, byte[] delta) {
    WriterLog log = writers.computeIfAbsent(writer, absent -> new WriterLog());
    if (!log.add(sequence, delta, ++arrivals)) {
      return;
    }
    size++;
    bytes += delta.length + ENTRY_OVERHEAD_BYTES;
    drop(log, DROPS_AN_UPDATE);
    if (log.isEmpty()) {
      writers.remove(writer);
    }
    while (bytes > bytesMax) {
      dropOldest();
    }
  }

  /** The updates of the writer in that range that are still here; a view until the next change. */
  public List<WriterLog.Logged> get(long writer, SequenceSet.Range range) {
    WriterLog log = writers.get(writer);
    return log == null ? List.of() : log.in(range);
  }

  /**
   * Takes note of what need not be kept any more: the first updates of each writer. They go as
   * others are added, two at a time, so that nobody has to wait while thousands are dropped; what
   * is left of them at the next call goes then, for no others have come.
   *
   * @param knownByAll for a writer, the update up to which everybody in the group has applied all
   */
  public void forgetKnown(LongUnaryOperator knownByAll) {
    for (Iterator<Map.Entry<Long, WriterLog>> each = writers.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Long, WriterLog> writer = each.next();
      WriterLog log = writer.getValue();
      drop(log, Integer.MAX_VALUE);
      log.noteKnown(knownByAll.applyAsLong(writer.getKey()));
      if (log.isEmpty()) {
        each.remove();
      }
    }
  }

  private void drop(WriterLog log, int most) {
    for (int i = 0; i < most && log.isFirstKnown(); i++) {
      dropFirst(log);
    }
  }

  /** Time has passed: what has been here since the tick before has had time to get everywhere. */
  public void tick() {
    writers.values().forEach(WriterLog::tick);
  }

  /**
   * The spans without the updates that came here so lately that they may well be on their way to
   * everybody else.
   */
  public List<VersionVector.Span> withoutRecent(List<VersionVector.Span> spans) {
    List<VersionVector.Span> rest = new ArrayList<>();
    for (VersionVector.Span span : spans) {
      SequenceSet.Range range = span.range();
      WriterLog log = writers.get(span.writer());
      long last = log == null ? range.last() : Math.min(range.last(), log.lastNotRecent());
      if (last >= range.first()) {
        rest.add(new VersionVector.Span(span.writer(), new SequenceSet.Range(range.first(), last)));
      }
    }
    return rest;
  }

  /** Number of updates kept. */
  public int size() {
    return size;
  }

  /** Bytes of the updates kept. */
  public long bytes() {
    return bytes;
  }

  private void dropOldest() {
    Map.Entry<Long, WriterLog> oldest = null;
    for (Map.Entry<Long, WriterLog> each : writers.entrySet()) {
      if (oldest == null || each.getValue().firstArrival() < oldest.getValue().firstArrival()) {
        oldest = each;
      }
    }
    if (oldest != null) {
      dropFirst(oldest.getValue());
      if (oldest.getValue().isEmpty()) {
        writers.remove(oldest.getKey());
      }
    }
  }

  private void dropFirst(WriterLog log) {
    bytes -= log.removeFirst().length + ENTRY_OVERHEAD_BYTES;
    size--;
  }
}
