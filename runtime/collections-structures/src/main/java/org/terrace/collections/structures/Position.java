package org.terrace.collections.structures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The place of an element in a list: a place between any two others can be made by any replica
 * alone, and never moves.
 *
 * <p>A position is a path of levels, each a number, the writer that chose it, and one of that
 * writer's sequence numbers, compared in this order. A new position takes the first level at which
 * a number is free between its neighbours: beyond the last element, before the first one and
 * between two that are not close, that is the first level of all, whoever inserted what is there. A
 * run of one replica takes numbers near each other; the first of a run jumps to a number that
 * depends on its writer and sequence, so that runs made by different replicas at one place at the
 * same time hardly ever mix. Only where all numbers between two neighbours are taken does a path
 * get longer by one level, which has numbers of its own: a few insertions into one and the same gap
 * that gets ever narrower. So the length depends on the neighbours that are there, not on how many
 * elements came and went; and where it grows all the same, the elements around are given new
 * places. Idea: Weiss, Urso, Molli, "Logoot", 2009; Nédelec and others, "LSEQ", 2013. Immutable.
 *
 * @param path three longs a level
 * @param epoch the renumbering of the list that its writer knew of when it chose the path, 0 for
 *     none; no part of the order
 */
public record Position(long[] path, long epoch) implements Comparable<Position> {
  /** A position without levels, which stands for none. */
  public static final Position NONE = new Position(new long[0], 0);

  /** Longs a level. */
  private static final int LEVEL = 3;

  /** Longest path: insertions that would need more are refused. */
  public static final int LEVELS_MAX = 8_192;

  private static final long NUMBER_MAX = 1L << 61;

  /** Room that a run leaves between its elements. */
  private static final long STRIDE = 1L << 20;

  /**
   * The share of the room between two neighbours that an element of a run takes: one part in
   * 2^this.
   */
  private static final int RUN_SHIFT = 10;

  /** Room that is left to what others have inserted. */
  private static final long JUMP = 1L << 40;

  /** Least room that is left on each side of an element that gets a new place. */
  private static final int SPREAD_SHIFT = 20;

  /** Most room that is left there where the list is open on one side. */
  private static final long SPREAD_MAX = 1L << 32;

  /** The codec of positions. */
  public static final Codec<Position> CODEC =
      new Codec<>() {
        @Override
        public void encode(Position position, Encoder out) {
          out.putUnsigned(position.path.length / LEVEL);
          for (int i = 0; i < position.path.length; i += LEVEL) {
            out.putFixedLong(position.path[i]);
            out.putFixedLong(position.path[i + 1]);
            out.putUnsigned(position.path[i + 2]);
          }
          if (position.epoch > 0) {
            out.putUnsigned(position.epoch);
          }
        }

        @Override
        public Position decode(Decoder in) {
          int levels = in.getCount(LEVELS_MAX);
          if (levels * (2 * Long.BYTES + 1) > in.remaining()) {
            throw new MalformedDataException("a position of " + levels + " levels is cut off");
          }
          long[] path = new long[levels * LEVEL];
          for (int i = 0; i < path.length; i += LEVEL) {
            path[i] = in.getFixedLong();
            path[i + 1] = in.getFixedLong();
            path[i + 2] = in.getUnsigned();
          }
          return new Position(path, in.remaining() > 0 ? in.getUnsigned() : 0);
        }

        @Override
        public boolean isImmutable() {
          return true;
        }
      };

  /**
   * A new position between two neighbours; null if there is no room left between them.
   *
   * @param left the element before, or null at the beginning
   * @param right the element after, or null at the end
   * @param writer the inserting replica
   * @param sequence a number that this writer uses for this position alone
   */
  public static @Nullable Position between(
      @Nullable Position left, @Nullable Position right, long writer, long sequence) {
    long[] lower = pathOf(left);
    long[] upper = pathOf(right);
    Gap gap = gap(lower, upper, 1, LEVELS_MAX);
    if (gap == null) {
      return null;
    }
    int level = gap.prefix.length;
    long number =
        number(
            gap.low,
            gap.high,
            level < lower.length && isLast(lower, level, writer),
            level < upper.length && gap.high == upper[level] && isLast(upper, level, writer),
            BitMixer.mix(BitMixer.mix(writer) + sequence));
    return extend(gap.prefix, number, writer, sequence);
  }

  /**
   * New positions between two neighbours, far from each other; null if there is no room for them at
   * the first levels.
   *
   * @param sequence what the writer uses for the first of them, the next ones for the others
   */
  public static @Nullable List<Position> spread(
      @Nullable Position left,
      @Nullable Position right,
      int count,
      int levelsMax,
      long writer,
      long sequence) {
    Gap gap = gap(pathOf(left), pathOf(right), (count + 1L) << SPREAD_SHIFT, levelsMax);
    if (gap == null) {
      return null;
    }
    boolean openBelow = gap.low == -NUMBER_MAX;
    boolean openAbove = gap.high == NUMBER_MAX;
    long step = (gap.high - gap.low) / (count + 1);
    if (openBelow || openAbove) {
      step = Math.min(step, SPREAD_MAX);
    }
    long number = openBelow ? openAbove ? 0 : gap.high - (count + 1) * step : gap.low;
    List<Position> spread = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      number += step;
      spread.add(extend(gap.prefix, number, writer, sequence + i));
    }
    return spread;
  }

  /** A gap between two paths with room for a number. */
  private record Gap(long[] prefix, long low, long high) {}

  private static long[] pathOf(@Nullable Position position) {
    return position == null ? NONE.path : position.path;
  }

  /** The first level at which so many numbers are free; an empty upper path is the list's end. */
  private static @Nullable Gap gap(long[] lower, long[] upper, long room, int levelsMax) {
    boolean isBelowRight = upper.length > 0; // whether the path so far is the right one's, too
    for (int level = 0; level < levelsMax * LEVEL; level += LEVEL) {
      boolean hasLow = level < lower.length;
      boolean hasHigh = isBelowRight && level < upper.length;
      long low = hasLow ? lower[level] : -NUMBER_MAX;
      long high = hasHigh ? upper[level] : NUMBER_MAX;
      if (high - low - 1 >= room) {
        return new Gap(Arrays.copyOf(lower.length >= level ? lower : upper, level), low, high);
      }
      if (!hasLow && upper.length == level + LEVEL) {
        return null; // nothing is before the smallest number
      }
      isBelowRight &=
          !hasLow || Arrays.equals(lower, level, level + LEVEL, upper, level, level + LEVEL);
    }
    return null;
  }

  /** A free number between two, which are at least two apart. */
  private static long number(
      long low, long high, boolean continuesLow, boolean continuesHigh, long hash) {
    boolean openBelow = low == -NUMBER_MAX;
    boolean openAbove = high == NUMBER_MAX;
    long room = high - low - 1;
    long step = Math.clamp(openAbove || openBelow ? room / 2 : room >> RUN_SHIFT, 1, STRIDE);
    if (continuesLow) {
      return low + step;
    }
    if (continuesHigh) {
      return high - step;
    }
    long jump = JUMP + (hash & (JUMP - 1));
    if (openBelow && openAbove) {
      return jump;
    }
    if (room > 4 * JUMP && (openAbove || openBelow)) {
      return openAbove ? low + jump : high - jump;
    }
    long middle = Math.max(1, room / 2);
    return low + 1 + room / 4 + (hash & Long.MAX_VALUE) % middle;
  }

  /** Whether the level is the path's last one and the writer's. */
  private static boolean isLast(long[] path, int level, long writer) {
    return level == path.length - LEVEL && path[level + 1] == writer;
  }

  private static Position extend(long[] prefix, long number, long writer, long sequence) {
    long[] longer = Arrays.copyOf(prefix, prefix.length + LEVEL);
    longer[prefix.length] = number;
    longer[prefix.length + 1] = writer;
    longer[prefix.length + 2] = sequence;
    return new Position(longer, 0);
  }

  /** A position that is a little before this one, at the first level; null if there is none. */
  public @Nullable Position wellBefore(long writer, long sequence) {
    long number = path[0] - STRIDE;
    return number <= -NUMBER_MAX ? null : extend(NONE.path, number, writer, sequence);
  }

  /** The same position, chosen by a writer that knew of that renumbering. */
  public Position inEpoch(long newEpoch) {
    return newEpoch == epoch ? this : new Position(path, newEpoch);
  }

  /**
   * The position that has the other's levels from that one on after its own: after this one and
   * before the next.
   */
  public Position followedBy(Position other, int fromLevel) {
    int from = fromLevel * LEVEL;
    long[] longer = Arrays.copyOf(path, path.length + other.path.length - from);
    System.arraycopy(other.path, from, longer, path.length, other.path.length - from);
    return new Position(longer, other.epoch);
  }

  /** Number of levels with which both positions begin, and so all between them. */
  public int levelsShared(Position other) {
    int mismatch = Arrays.mismatch(path, other.path);
    return (mismatch < 0 ? path.length : mismatch) / LEVEL;
  }

  /** The writer that chose the last level: who put the element that came with this position. */
  public long writer() {
    return path[path.length - 2];
  }

  /** The number of that writer's update that put the element. */
  public long sequence() {
    return path[path.length - 1];
  }

  /** Whether this stands for no position. */
  public boolean isNone() {
    return path.length == 0;
  }

  /** Number of levels. */
  public int levels() {
    return path.length / LEVEL;
  }

  @Override
  public int compareTo(Position other) {
    return Arrays.compare(path, other.path);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Position position && Arrays.equals(path, position.path);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(path);
  }

  @Override
  public String toString() {
    return Arrays.toString(path);
  }
}
