package org.terrace.details;

import java.util.Arrays;
import java.util.function.DoublePredicate;

/**
 * Blocks in a range of places and of keys that both move little by little, with the sum and the
 * median of their values. A move takes O(blocks that come or go) steps of O(log blocks), and at
 * most as many as are in the ranges of places before and after it. Confined to one thread.
 */
final class MovingBlocks {
  /** The places in rising order of their keys, and of each place its place among them. */
  private final int[] byKey;

  private final int[] order;

  /** The values in rising order, and of each place its rank among them. */
  private final double[] sorted;

  private final int[] rank;
  private final long[] amount;

  /** The number of blocks of each rank, as a binary indexed tree. */
  private final int[] tree;

  private int from;
  private int to;
  private int low;
  private int high;
  private int size;
  private long sum;

  /**
   * No blocks yet.
   *
   * @param keys the key of each place
   * @param values the value of each place
   * @param amounts what is summed of each place
   */
  MovingBlocks(double[] keys, double[] values, long[] amounts) {
    byKey = ascending(keys);
    order = new int[keys.length];
    for (int i = 0; i < byKey.length; i++) {
      order[byKey[i]] = i;
    }
    int[] byValue = ascending(values);
    sorted = new double[values.length];
    rank = new int[values.length];
    for (int i = 0; i < byValue.length; i++) {
      sorted[i] = values[byValue[i]];
      rank[byValue[i]] = i;
    }
    amount = amounts;
    tree = new int[values.length + 1];
  }

  private MovingBlocks(MovingBlocks same) {
    byKey = same.byKey;
    order = same.order;
    sorted = same.sorted;
    rank = same.rank;
    amount = same.amount;
    tree = new int[same.tree.length];
  }

  /** No blocks, of the same places. */
  MovingBlocks none() {
    return new MovingBlocks(this);
  }

  private static int[] ascending(double[] values) {
    Integer[] places = new Integer[values.length];
    Arrays.setAll(places, i -> i);
    Arrays.sort(places, (a, b) -> Double.compare(values[a], values[b]));
    return Arrays.stream(places).mapToInt(Integer::intValue).toArray();
  }

  /** The first of rising keys that differs from a wanted one by at most so much. */
  static int firstWithin(double[] risingKeys, double wanted, double most) {
    return firstThat(risingKeys, key -> key >= wanted || Math.abs(key - wanted) <= most);
  }

  /** The first of them that is beyond that. */
  static int endWithin(double[] risingKeys, double wanted, double most) {
    return firstThat(risingKeys, key -> key > wanted && Math.abs(key - wanted) > most);
  }

  private static int firstThat(double[] risingKeys, DoublePredicate condition) {
    int least = 0;
    int most = risingKeys.length;
    while (least < most) {
      int middle = (least + most) >>> 1;
      if (condition.test(risingKeys[middle])) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }

  /** Makes it the blocks of these places whose keys have these places in their order. */
  void move(int newFrom, int newTo, int newLow, int newHigh) {
    long steps =
        (long) Math.abs(newFrom - from)
            + Math.abs(newTo - to)
            + Math.abs(newLow - low)
            + Math.abs(newHigh - high);
    if (steps > (long) (newTo - newFrom) + (to - from)) {
      while (to > from) {
        put(--to, -1);
      }
      from = newFrom;
      to = newFrom;
      low = newLow;
      high = newHigh;
    }
    while (from > newFrom) {
      put(--from, 1);
    }
    while (to < newTo) {
      put(to++, 1);
    }
    while (from < newFrom) {
      put(from++, -1);
    }
    while (to > newTo) {
      put(--to, -1);
    }
    moveKeys(newLow, newHigh);
  }

  private void moveKeys(int newLow, int newHigh) {
    while (low > newLow) {
      low--;
      putAt(byKey[low], 1);
    }
    while (high < newHigh) {
      high++;
      putAt(byKey[high - 1], 1);
    }
    while (low < newLow) {
      putAt(byKey[low], -1);
      low++;
    }
    while (high > newHigh) {
      putAt(byKey[high - 1], -1);
      high--;
    }
  }

  /** Adds or removes a place of the range if its key is in that of keys. */
  private void put(int place, int change) {
    if (order[place] >= low && order[place] < high) {
      count(place, change);
    }
  }

  /** Adds or removes a place of the range of keys if it is in that of places. */
  private void putAt(int place, int change) {
    if (place >= from && place < to) {
      count(place, change);
    }
  }

  private void count(int place, int change) {
    size += change;
    sum += change * amount[place];
    for (int at = rank[place] + 1; at < tree.length; at += at & -at) {
      tree[at] += change;
    }
  }

  /** The number of blocks. */
  int size() {
    return size;
  }

  /** The sum of their amounts. */
  long sum() {
    return sum;
  }

  /** The value of rank {@code ceil(size / 2)}, of which there must be one. */
  double median() {
    int wanted = (size + 1) / 2;
    int at = 0;
    for (int step = Integer.highestOneBit(Math.max(1, tree.length - 1)); step > 0; step >>= 1) {
      if (at + step < tree.length && tree[at + step] < wanted) {
        at += step;
        wanted -= tree[at];
      }
    }
    return sorted[at];
  }
}
