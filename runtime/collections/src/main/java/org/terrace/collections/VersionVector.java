package org.terrace.collections;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * Which updates a replica has applied: for each writer, a {@link SequenceSet}. Its size grows with
 * the number of writers and of gaps, never with the number of updates. Confined.
 */
final class VersionVector {
  private static final int WRITERS_MAX = 4_096;
  private static final int RANGES_MAX = 65_536;

  /** Updates of one writer. */
  record Span(long writer, SequenceSet.Range range) {}

  private final TreeMap<Long, SequenceSet> writers = new TreeMap<>();

  static VersionVector copyOf(VersionVector other) {
    VersionVector copy = new VersionVector();
    other.writers.forEach((writer, set) -> copy.writers.put(writer, SequenceSet.copyOf(set)));
    return copy;
  }

  Collection<Long> writers() {
    return writers.keySet();
  }

  boolean contains(long writer, long sequence) {
    SequenceSet set = writers.get(writer);
    return set != null && set.contains(sequence);
  }

  /** All updates of the writer of 1 to this have been applied. */
  long floor(long writer) {
    SequenceSet set = writers.get(writer);
    return set == null ? 0 : set.floor();
  }

  /** The last update of the writer that has been applied, or 0. */
  long last(long writer) {
    SequenceSet set = writers.get(writer);
    return set == null ? 0 : set.last();
  }

  /** The updates of the writer; a change of what is returned changes this. */
  SequenceSet of(long writer) {
    return writers.computeIfAbsent(writer, absent -> new SequenceSet());
  }

  void add(long writer, long sequence) {
    of(writer).add(sequence);
  }

  void addAll(VersionVector other) {
    other.writers.forEach((writer, set) -> of(writer).addAll(set));
  }

  void remove(long writer) {
    writers.remove(writer);
  }

  boolean covers(VersionVector other) {
    return other.minus(this).isEmpty();
  }

  /** What is in this and not in the other. */
  List<Span> minus(VersionVector other) {
    List<Span> rest = new ArrayList<>();
    SequenceSet none = new SequenceSet();
    for (Map.Entry<Long, SequenceSet> mine : writers.entrySet()) {
      SequenceSet theirs = other.writers.getOrDefault(mine.getKey(), none);
      if (theirs.floor() < mine.getValue().last()) {
        for (SequenceSet.Range range : mine.getValue().minus(theirs)) {
          rest.add(new Span(mine.getKey(), range));
        }
      }
    }
    return rest;
  }

  void encode(Encoder out) {
    out.putUnsigned(writers.size());
    writers.forEach((writer, set) -> {
      out.putFixedLong(writer);
      List<SequenceSet.Range> ranges = set.ranges();
      out.putUnsigned(ranges.size());
      long previous = 0;
      for (SequenceSet.Range range : ranges) {
        out.putUnsigned(range.first() - previous);
        out.putUnsigned(range.size());
        previous = range.last();
      }
    });
  }

  static VersionVector decode(Decoder in) {
    VersionVector vector = new VersionVector();
    int count = in.getCount(WRITERS_MAX);
    for (int i = 0; i < count; i++) {
      SequenceSet set = vector.of(in.getFixedLong());
      int ranges = in.getCount(RANGES_MAX);
      long previous = 0;
      for (int j = 0; j < ranges; j++) {
        long first = previous + in.getUnsigned();
        long last = first + in.getUnsigned() - 1;
        if (first <= previous || last < first) {
          throw new MalformedDataException("sequence ranges out of order");
        }
        set.addRange(new SequenceSet.Range(first, last));
        previous = last;
      }
    }
    return vector;
  }

  @Override
  public String toString() {
    return writers.toString();
  }
}
