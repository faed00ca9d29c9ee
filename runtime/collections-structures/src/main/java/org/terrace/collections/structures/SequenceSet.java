package org.terrace.collections.structures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * A set of numbers from 1, such as the sequence numbers of one writer: all up to a floor, and
 * ranges above it where something in between has not arrived yet. Takes room only for the gaps.
 * Confined.
 */
public final class SequenceSet {
  private static final int RANGE_BYTES_MIN = 2;

  /** Consecutive numbers, both ends included. */
  public record Range(long first, long last) {
    /** Number of them. */
    public long size() {
      return last - first + 1;
    }
  }

  private final TreeMap<Long, Long> above = new TreeMap<>();
  private long floor;

  /** The same numbers, to be changed on their own. */
  public static SequenceSet copyOf(SequenceSet other) {
    SequenceSet copy = new SequenceSet();
    copy.floor = other.floor;
    copy.above.putAll(other.above);
    return copy;
  }

  /** All numbers of 1 to this are in the set, and the next is not. */
  public long floor() {
    return floor;
  }

  /** The smallest number in the set, or 0. */
  public long first() {
    return floor > 0 ? 1 : above.isEmpty() ? 0 : above.firstKey();
  }

  /** The largest number in the set, or 0. */
  public long last() {
    return above.isEmpty() ? floor : above.lastEntry().getValue();
  }

  /** Whether a number is missing below the last. */
  public boolean hasGaps() {
    return !above.isEmpty();
  }

  /** Whether that number is among these. */
  public boolean contains(long sequence) {
    if (sequence <= floor) {
      return true;
    }
    Map.Entry<Long, Long> range = above.floorEntry(sequence);
    return range != null && sequence <= range.getValue();
  }

  /** Adds one number. */
  public void add(long sequence) {
    if (sequence == floor + 1 && above.isEmpty()) {
      floor = sequence;
    } else {
      addRange(new Range(sequence, sequence));
    }
  }

  /** Adds all numbers of a range. */
  public void addRange(Range added) {
    if (added.last() <= floor) {
      return;
    }
    long first = added.first();
    long last = added.last();
    Map.Entry<Long, Long> touching = above.floorEntry(last == Long.MAX_VALUE ? last : last + 1);
    while (touching != null && touching.getValue() >= first - 1) {
      first = Math.min(first, touching.getKey());
      last = Math.max(last, touching.getValue());
      above.remove(touching.getKey());
      touching = above.floorEntry(last);
    }
    above.put(first, last);
    Map.Entry<Long, Long> lowest = above.firstEntry();
    if (lowest.getKey() <= floor + 1) {
      floor = Math.max(floor, lowest.getValue());
      above.pollFirstEntry();
    }
  }

  /** Adds all numbers of another set. */
  public void addAll(SequenceSet other) {
    for (Range range : other.ranges()) {
      addRange(range);
    }
  }

  /** The numbers of both; this set itself if it has all of the other's. Changes neither. */
  public SequenceSet union(SequenceSet other) {
    if (other.minus(this).isEmpty()) {
      return this;
    }
    SequenceSet union = copyOf(other);
    union.addAll(this);
    return union;
  }

  /** The set as ranges, lowest first. */
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>(above.size() + 1);
    if (floor > 0) {
      ranges.add(new Range(1, floor));
    }
    above.forEach((first, last) -> ranges.add(new Range(first, last)));
    return ranges;
  }

  /** The numbers that are in this set and not in the other, lowest first. */
  public List<Range> minus(SequenceSet other) {
    List<Range> rest = new ArrayList<>();
    for (Range range : ranges()) {
      long next = range.first();
      for (Range known : other.ranges()) {
        if (known.last() < next) {
          continue;
        }
        if (known.first() > range.last()) {
          break;
        }
        if (known.first() > next) {
          rest.add(new Range(next, known.first() - 1));
        }
        next = known.last() + 1;
      }
      if (next <= range.last()) {
        rest.add(new Range(next, range.last()));
      }
    }
    return rest;
  }

  /** Writes the set: some two bytes a range. */
  public void encode(Encoder out) {
    List<Range> ranges = ranges();
    out.putUnsigned(ranges.size());
    long previous = 0;
    for (Range range : ranges) {
      out.putUnsigned(range.first() - previous);
      out.putUnsigned(range.size());
      previous = range.last();
    }
  }

  /**
   * Reads a set.
   *
   * @throws MalformedDataException if there is none
   */
  public static SequenceSet decode(Decoder in) {
    SequenceSet set = new SequenceSet();
    int ranges = in.getCount(in.remaining() / RANGE_BYTES_MIN);
    long previous = 0;
    for (int i = 0; i < ranges; i++) {
      long first = previous + in.getUnsigned();
      long last = first + in.getUnsigned() - 1;
      if (first <= previous || last < first) {
        throw new MalformedDataException("ranges of numbers out of order");
      }
      set.addRange(new Range(first, last));
      previous = last;
    }
    return set;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SequenceSet that && floor == that.floor && above.equals(that.above);
  }

  @Override
  public int hashCode() {
    return Objects.hash(floor, above);
  }

  @Override
  public String toString() {
    return ranges().toString();
  }
}
