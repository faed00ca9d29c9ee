package org.terrace.observation;

/**
 * A sketch of the values that a request's bytes carry: what a user typed, the number of a story,
 * the name of a customer, as they recur from a URL to the statements that it causes. Of all values
 * it keeps the {@value #LANES} with the greatest hashes, 16 bits each, in one number; so two
 * requests that share many values share kept ones, whatever else they carry (a bottom-k sketch,
 * turned round). Values cannot be read from it.
 *
 * <p>A value is a run of ASCII letters, digits and underscores, whatever its case: digits alone
 * from {@value #DIGITS_MIN} on without the zeros before them, others from {@value #WORD_MIN}
 * characters. Pure functions; nothing is allocated.
 *
 * <p>Source of the sketch: A. Broder, On the resemblance and containment of documents, 1997.
 */
public final class ValueSketch {
  /** The sketch of a request of which no values are known. */
  public static final long NONE = 0;

  /** The values that a sketch keeps. */
  public static final int LANES = 4;

  /** Numbers of fewer digits are those of pages and counts, and recur everywhere. */
  public static final int DIGITS_MIN = 2;

  /** Shorter words are words of the protocol more often than values. */
  public static final int WORD_MIN = 4;

  /** Longer runs are no values that recur, but content. */
  private static final int VALUE_MAX = 64;

  /** The least number of {@value #DIGITS_MIN} digits. */
  private static final long SHORTEST_NUMBER = 10;

  private static final int LANE_BITS = 16;
  private static final long LANE_MASK = 0xffff;
  private static final long LANE_ONES = 0x0001_0001_0001_0001L;
  private static final long LANE_TOPS = 0x8000_8000_8000_8000L;
  private static final long SEED = 0xcbf2_9ce4_8422_2325L;
  private static final long PRIME = 0x100_0000_01b3L;
  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

  private ValueSketch() {}

  /** The value that a lane holds, in 1..65535; 0 for none. */
  public static int lane(long sketch, int lane) {
    return (int) ((sketch >>> (lane * LANE_BITS)) & LANE_MASK);
  }

  /** Whether a sketch keeps a value. */
  public static boolean holds(long sketch, int value) {
    long differences = sketch ^ (value * LANE_ONES);
    return ((differences - LANE_ONES) & ~differences & LANE_TOPS) != 0;
  }

  /** A sketch with the values in a text added. */
  public static long add(long sketch, byte[] bytes, int from, int to) {
    long result = sketch;
    int at = from;
    while (at < to) {
      if (!isPart(bytes[at])) {
        at++;
        continue;
      }
      int start = at;
      while (at < to && isPart(bytes[at])) {
        at++;
      }
      result = addRun(result, bytes, start, at);
    }
    return result;
  }

  /** A sketch with the digits of a whole number added. */
  public static long add(long sketch, long number) {
    if (number < SHORTEST_NUMBER) {
      return sketch;
    }
    long divisor = 1;
    while (number / divisor >= 10) {
      divisor *= 10;
    }
    long hash = SEED;
    for (long left = divisor; left > 0; left /= 10) {
      hash = (hash ^ ('0' + (number / left) % 10)) * PRIME;
    }
    return keep(sketch, value(hash));
  }

  private static long addRun(long sketch, byte[] bytes, int from, int to) {
    boolean digits = true;
    for (int i = from; i < to && digits; i++) {
      digits = isDigit(bytes[i]);
    }
    int start = from;
    while (digits && start < to - 1 && bytes[start] == '0') {
      start++;
    }
    int length = to - start;
    if (length < (digits ? DIGITS_MIN : WORD_MIN) || length > VALUE_MAX) {
      return sketch;
    }
    long hash = SEED;
    for (int i = start; i < to; i++) {
      int c = bytes[i];
      hash = (hash ^ (c >= 'A' && c <= 'Z' ? c | 0x20 : c)) * PRIME;
    }
    return keep(sketch, value(hash));
  }

  private static int value(long hash) {
    long mixed = (hash ^ (hash >>> Integer.SIZE)) * MIX;
    return Math.max(1, (int) (mixed >>> (Long.SIZE - LANE_BITS)));
  }

  /** Lanes are in falling order, so that equal values give equal sketches. */
  private static long keep(long sketch, int value) {
    if (holds(sketch, value)) {
      return sketch;
    }
    long result = 0;
    int next = value;
    for (int lane = 0; lane < LANES; lane++) {
      int here = lane(sketch, lane);
      result |= (long) Math.max(here, next) << (lane * LANE_BITS);
      next = Math.min(here, next);
    }
    return result;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Whether a byte is one of those that values consist of. */
  public static boolean isPart(int c) {
    int lower = c | 0x20;
    return isDigit(c) || (lower >= 'a' && lower <= 'z') || c == '_';
  }
}
