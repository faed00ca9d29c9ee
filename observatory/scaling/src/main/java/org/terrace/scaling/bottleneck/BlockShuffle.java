package org.terrace.scaling.bottleneck;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Random rearrangements of series of equal length, each by itself, in blocks whose lengths are
 * drawn anew each time. Confined to one thread.
 */
final class BlockShuffle {
  private final boolean[][] saturated;
  private final int length;
  private final int block;
  private final SplittableRandom random;
  private final int[] counts;

  /** The first sample of each block, and behind the last one the length. */
  private final int[] starts;

  private final int[] order;

  /**
   * A shuffle of series.
   *
   * @param saturated for each resource, whether it was saturated at each sample; not copied
   * @param block the mean length of a block, at least 2
   */
  BlockShuffle(boolean[][] saturated, int block, SplittableRandom random) {
    this.saturated = saturated;
    this.length = saturated[0].length;
    this.block = block;
    this.random = random;
    this.counts = new int[length];
    this.starts = new int[length + 1];
    this.order = new int[length];
  }

  /** The mean length of a block. */
  int block() {
    return block;
  }

  /** The sum over time of the squared number of saturated resources of a new rearrangement. */
  long squares() {
    Arrays.fill(counts, 0);
    for (boolean[] series : saturated) {
      add(series);
    }
    long sum = 0;
    for (int count : counts) {
      sum += (long) count * count;
    }
    return sum;
  }

  private void add(boolean[] series) {
    int blocks = cut();
    for (int i = 0; i < blocks; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    // The blocks begin anywhere on the circle, else the ends would never lie within one.
    int shift = random.nextInt(length);
    int at = 0;
    for (int i = 0; i < blocks; i++) {
      for (int t = starts[order[i]]; t < starts[order[i] + 1]; t++) {
        int from = t + shift;
        counts[at++] += series[from < length ? from : from - length] ? 1 : 0;
      }
    }
  }

  /** Cuts a series into blocks of half to one and a half of the mean length; their number. */
  private int cut() {
    int shortest = (block + 1) / 2;
    int longest = block + block / 2;
    int blocks = 0;
    for (int start = 0; start < length; start += random.nextInt(shortest, longest + 1)) {
      starts[blocks++] = start;
    }
    starts[blocks] = length;
    return blocks;
  }
}
