package org.terrace.collections;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.causality.Fingerprints;
import org.terrace.collections.replication.WriteRefusedException;
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
 * elements came and went. Idea: Weiss, Urso, Molli, "Logoot", 2009; Nédelec and others, "LSEQ",
 * 2013. Immutable.
 */
record Position(long[] path) implements Comparable<Position> {
  /** Longs a level. */
  private static final int LEVEL = 3;

  /** Longest path: insertions that would need more are refused. */
  static final int LEVELS_MAX = 8_192;

  private static final long NUMBER_MAX = 1L << 61;

  /** Room that a run leaves between its elements. */
  private static final long STRIDE = 1L << 20;

  /** What of the room between two neighbours an element of a run takes: one part in 2^this. */
  private static final int RUN_SHIFT = 10;

  /** Room that is left to what others have inserted. */
  private static final long JUMP = 1L << 40;

  static final Codec<Position> CODEC =
      new Codec<>() {
        @Override
        public void encode(Position position, Encoder out) {
          out.putUnsigned(position.path.length / LEVEL);
          for (int i = 0; i < position.path.length; i += LEVEL) {
            out.putFixedLong(position.path[i]);
            out.putFixedLong(position.path[i + 1]);
            out.putUnsigned(position.path[i + 2]);
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
          return new Position(path);
        }

        @Override
        public boolean isImmutable() {
          return true;
        }
      };

  /**
   * A new position between two neighbours.
   *
   * @param left the element before, or null at the beginning
   * @param right the element after, or null at the end
   * @param writer the inserting replica
   * @param sequence a number that this writer uses for this position alone
   * @throws WriteRefusedException if there is no room left between them
   */
  static Position between(
      @Nullable Position left, @Nullable Position right, long writer, long sequence) {
    long[] lower = left == null ? new long[0] : left.path;
    long[] upper = right == null ? new long[0] : right.path;
    boolean isBelowRight = right != null; // whether the path so far is the right one's, too
    for (int level = 0; level < LEVELS_MAX * LEVEL; level += LEVEL) {
      boolean hasLow = level < lower.length;
      boolean hasHigh = isBelowRight && level < upper.length;
      long low = hasLow ? lower[level] : -NUMBER_MAX;
      long high = hasHigh ? upper[level] : NUMBER_MAX;
      if (high - low >= 2) {
        long number =
            number(
                low,
                high,
                hasLow && isLast(lower, level, writer),
                hasHigh && isLast(upper, level, writer),
                Fingerprints.of(writer, sequence));
        long[] prefix = Arrays.copyOf(lower.length >= level ? lower : upper, level);
        return extend(prefix, number, writer, sequence);
      }
      if (!hasLow && upper.length == level + LEVEL) {
        break; // nothing is before the smallest number
      }
      isBelowRight &=
          !hasLow || Arrays.equals(lower, level, level + LEVEL, upper, level, level + LEVEL);
    }
    throw new WriteRefusedException(
        "there is no room between two elements of the list into which so many were inserted: copy"
            + " the list");
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
    return new Position(longer);
  }

  /** Number of levels. */
  int levels() {
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
