package org.terrace.load;

import java.util.Arrays;
import org.terrace.core.Percentiles;

/**
 * Counts of times by their length, in buckets of which each is at most 1/{@value #STEPS} longer
 * than the one below: quantiles are exact to 0.8 % and memory is fixed at 59 KB. Values are
 * non-negative and unitless here; adding takes constant time. Confined to one thread or a lock of
 * the owner's.
 */
final class TimeHistogram {
  /** Buckets from one power of two to the next; a power of two itself. */
  private static final int STEPS = 128;

  private static final int STEP_BITS = 7;

  private final long[] counts = new long[(Long.SIZE - STEP_BITS) * STEPS];
  private long count;

  /** Adds a value; one below zero counts as zero. */
  void add(long value) {
    counts[bucket(Math.max(0, value))]++;
    count++;
  }

  /** The number of values that were added. */
  long count() {
    return count;
  }

  /** The least bucket bound that the given share of values (0 to 1) does not exceed; 0 if none. */
  long quantile(double share) {
    long rank = Percentiles.rank(count, share * 100);
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (seen >= rank) {
        return highest(bucket);
      }
    }
    return 0;
  }

  void reset() {
    Arrays.fill(counts, 0);
    count = 0;
  }

  /** Values below {@code 2 * STEPS} have a bucket each; above, the leading bits choose. */
  private static int bucket(long value) {
    int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(value));
    return shift * STEPS + (int) (value >>> shift);
  }

  private static long highest(int bucket) {
    int shift = Math.max(0, bucket / STEPS - 1);
    return ((long) (bucket - shift * STEPS) << shift) + (1L << shift) - 1;
  }
}
