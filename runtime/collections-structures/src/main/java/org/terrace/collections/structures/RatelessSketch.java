package org.terrace.collections.structures;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * A prefix of the coded symbols of a set of numbers, from which the difference of two sets can be
 * computed without either set being sent.
 *
 * <p>Symbol i is the exclusive-or of those members that are mapped to i; a member is mapped to i
 * with probability 1 / (1 + i/2), so early symbols are dense and later ones sparse. Subtracting the
 * symbols of another set leaves those of the difference; a symbol that holds a single member
 * reveals it, and taking it out of its other symbols reveals more. About 1.35 to 1.72 symbols a
 * different member suffice, however large the sets. Time to build: proportional to the set's size
 * times the logarithm of the number of symbols. Source: Yang, Gilad, Alizadeh, "Practical Rateless
 * Set Reconciliation", 2024. Confined.
 */
public final class RatelessSketch {
  /** Largest number of symbols. */
  public static final int SYMBOLS_MAX = 1 << 15;

  private static final long CHECK_MASK = 0xFFFF_FFFFL;

  /** The difference of two sets: the numbers that one has and the other has not. */
  public record Difference(List<Long> onlyHere, List<Long> onlyThere) {
    /** Copies the lists. */
    public Difference {
      onlyHere = List.copyOf(onlyHere);
      onlyThere = List.copyOf(onlyThere);
    }
  }

  private final long[] sums;
  private final long[] checks;
  private final long[] counts;

  private RatelessSketch(int symbols) {
    sums = new long[symbols];
    checks = new long[symbols];
    counts = new long[symbols];
  }

  /** The first symbols of the set. */
  public static RatelessSketch of(Iterable<Long> members, int symbols) {
    RatelessSketch sketch = new RatelessSketch(symbols);
    for (long member : members) {
      sketch.add(member, 1, null);
    }
    return sketch;
  }

  /** Number of symbols. */
  public int symbols() {
    return sums.length;
  }

  /**
   * Computes what this set and the other, of as many symbols, do not share; null if they are too
   * few.
   */
  public @Nullable Difference minus(RatelessSketch other) {
    RatelessSketch rest = new RatelessSketch(sums.length);
    Deque<Integer> revealing = new ArrayDeque<>();
    for (int i = 0; i < sums.length; i++) {
      rest.sums[i] = sums[i] ^ other.sums[i];
      rest.checks[i] = checks[i] ^ other.checks[i];
      rest.counts[i] = counts[i] - other.counts[i];
      if (rest.isSingle(i)) {
        revealing.add(i);
      }
    }
    List<Long> onlyHere = new ArrayList<>();
    List<Long> onlyThere = new ArrayList<>();
    while (!revealing.isEmpty()) {
      int index = revealing.removeFirst();
      if (rest.isSingle(index)) {
        long member = rest.sums[index];
        boolean here = rest.counts[index] == 1;
        (here ? onlyHere : onlyThere).add(member);
        rest.add(member, here ? -1 : 1, revealing);
      }
    }
    return rest.isEmpty() ? new Difference(onlyHere, onlyThere) : null;
  }

  /** Writes the symbols. */
  public void encode(Encoder out) {
    out.putUnsigned(sums.length);
    for (int i = 0; i < sums.length; i++) {
      out.putFixedLong(sums[i]);
      out.putUnsigned(checks[i]);
      out.putSigned(counts[i]);
    }
  }

  /** Reads symbols. */
  public static RatelessSketch decode(Decoder in) {
    RatelessSketch sketch = new RatelessSketch(in.getCount(SYMBOLS_MAX));
    for (int i = 0; i < sketch.sums.length; i++) {
      sketch.sums[i] = in.getFixedLong();
      sketch.checks[i] = in.getUnsigned() & CHECK_MASK;
      sketch.counts[i] = in.getSigned();
    }
    return sketch;
  }

  /** Adds the member to the symbols it is mapped to, noting those that now hold a single one. */
  private void add(long member, int sign, @Nullable Deque<Integer> revealing) {
    long check = checkOf(member);
    long random = member;
    double index = 0;
    while (index < sums.length) {
      int at = (int) index;
      sums[at] ^= member;
      checks[at] ^= check;
      counts[at] += sign;
      if (revealing != null && isSingle(at)) {
        revealing.add(at);
      }
      random = BitMixer.mix(random + 0x9E3779B97F4A7C15L);
      // Inverse of the probability that none of the next symbols is mapped to.
      double uniform = ((random >>> 11) + 1) * 0x1.0p-53;
      index += Math.ceil((index + 1.5) * (1 / Math.sqrt(uniform) - 1));
      if (index == at) {
        index++;
      }
    }
  }

  private boolean isSingle(int index) {
    return (counts[index] == 1 || counts[index] == -1) && checks[index] == checkOf(sums[index]);
  }

  private boolean isEmpty() {
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] != 0 || counts[i] != 0) {
        return false;
      }
    }
    return sums.length > 0;
  }

  private static long checkOf(long member) {
    return BitMixer.mix(member ^ 0x5851F42D4C957F2DL) & CHECK_MASK;
  }
}
