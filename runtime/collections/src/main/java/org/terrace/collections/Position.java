package org.terrace.collections;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The place of an element in a list: a place between any two others can always be made, by any
 * replica alone, and never moves.
 *
 * <p>A position is a path of steps in a tree, each a writer and a number. An odd number is an
 * element; the even one below it leads to what was inserted just before that element, and a longer
 * path to what was inserted just after it. Runs typed by one replica stay together when replicas
 * insert at the same place at the same time, in either direction. The path itself orders the
 * elements, so a removed one leaves nothing behind. Idea: Weidner and Kleppmann, "The Art of the
 * Fugue", 2023. Immutable.
 */
record Position(long[] path) implements Comparable<Position> {
  private static final int STEP = 2;
  private static final int STEPS_MAX = 1 << 16;

  static final Codec<Position> CODEC =
      new Codec<>() {
        @Override
        public void encode(Position position, Encoder out) {
          out.putUnsigned(position.path.length / STEP);
          for (int i = 0; i < position.path.length; i += STEP) {
            out.putFixedLong(position.path[i]);
            out.putUnsigned(position.path[i + 1]);
          }
        }

        @Override
        public Position decode(Decoder in) {
          int steps = in.getCount(STEPS_MAX);
          if (steps * (Long.BYTES + 1) > in.remaining()) {
            throw new MalformedDataException("a position of " + steps + " steps is cut off");
          }
          long[] path = new long[steps * STEP];
          for (int i = 0; i < path.length; i += STEP) {
            path[i] = in.getFixedLong();
            path[i + 1] = in.getUnsigned();
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
   * @param sequence a number that this writer uses for this position alone, larger than all before
   */
  static Position between(
      @Nullable Position left, @Nullable Position right, long writer, long sequence) {
    long number = 2 * sequence + 1;
    if (right != null && (left == null || right.startsWith(left.path, left.path.length))) {
      long[] before = right.path.clone();
      before[before.length - 1]--;
      return extend(before, writer, number);
    }
    if (left == null) {
      return new Position(new long[] {writer, number});
    }
    int stem = left.path.length - 1;
    boolean own = left.path[stem - 1] == writer;
    if (own && (right == null || !right.startsWith(left.path, stem))) {
      long[] next = left.path.clone();
      next[stem] = number;
      return new Position(next);
    }
    return extend(left.path, writer, number);
  }

  private static Position extend(long[] path, long writer, long number) {
    long[] longer = Arrays.copyOf(path, path.length + STEP);
    longer[path.length] = writer;
    longer[path.length + 1] = number;
    return new Position(longer);
  }

  private boolean startsWith(long[] prefix, int length) {
    return path.length >= length && Arrays.equals(path, 0, length, prefix, 0, length);
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
