package org.terrace.details;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.terrace.core.Percentiles;

/**
 * The load that is usual of a server at a moment: that of the undisturbed moments within {@value
 * #NEAR_SECONDS} s before and after in which about as much was asked, or of twice as long, and so
 * on, until there are {@value #FEWEST}. Demand is the median of tenths of a second, so that neither
 * a burst nor a pause counts as demand.
 *
 * <p>Moments are asked for in order of time; then each takes O(log cells) time if what is usual
 * changes little from one to the next, as it does within a disturbance, however long that is. Takes
 * O(cells) memory.
 */
final class LocalUsual {
  private static final int NEAR_SECONDS = 5;
  private static final int CELLS = 10;
  private static final int NEAR = NEAR_SECONDS * 1_000 / (CELLS * DelayReplay.CELL_MILLIS);
  private static final int DEMAND_NEAR = NEAR / 2;

  /** The difference of demand up to which two moments are alike: a part, and requests. */
  private static final double ALIKE_PART = 0.2;

  private static final double ALIKE_REQUESTS = 1;
  private static final int FEWEST = 10;

  /** The number of blocks up to which they are looked at one by one. */
  private static final int FEW = 4 * NEAR;

  /** A mean of 5 to {@value #CELLS} whole numbers is a whole number of parts of one. */
  private static final int PARTS = 2_520;

  private final int blocks;

  /** Of each block, and behind the last, the number of kept ones before it. */
  private final int[] keptBefore;

  /** Of each kept block what was asked in it, its load, that in parts, and the demand around. */
  private final double[] asked;

  private final double[] loads;
  private final long[] parts;
  private final double[] demands;
  private final double[] risingDemands;

  /** The moving ranges by their half width; that of zero is where others come from. */
  private final Map<Integer, MovingBlocks> ofAsked = new HashMap<>();

  private final Map<Integer, MovingBlocks> ofLoads = new HashMap<>();
  private final double[] found;

  /**
   * The usual load by the moments that are not disturbed.
   *
   * @param arrivals the arrivals of each cell
   * @param present the requests present at the start of each
   * @param disturbed the cells that tell nothing of the usual
   */
  LocalUsual(double[] arrivals, int[] present, boolean[] disturbed) {
    int count = disturbed.length;
    blocks = (count + CELLS - 1) / CELLS;
    keptBefore = new int[blocks + 1];
    double[] askedOfKept = new double[blocks];
    double[] loadOfKept = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      double sumAsked = 0;
      double sumPresent = 0;
      int calm = 0;
      int end = Math.min(count, (block + 1) * CELLS);
      for (int i = block * CELLS; i < end; i++) {
        if (!disturbed[i]) {
          sumAsked += arrivals[i];
          sumPresent += present[i];
          calm++;
        }
      }
      int kept = keptBefore[block];
      // Of a block that is mostly disturbed the rest is no sample.
      if (2 * calm >= CELLS) {
        askedOfKept[kept] = sumAsked * CELLS / calm;
        loadOfKept[kept++] = sumPresent / calm;
      }
      keptBefore[block + 1] = kept;
    }
    asked = Arrays.copyOf(askedOfKept, keptBefore[blocks]);
    loads = Arrays.copyOf(loadOfKept, asked.length);
    parts = Arrays.stream(loads).mapToLong(load -> Math.round(load * PARTS)).toArray();
    demands = new double[asked.length];
    for (int block = 0; block < blocks; block++) {
      if (keptBefore[block + 1] > keptBefore[block]) {
        demands[keptBefore[block]] = demand(block);
      }
    }
    risingDemands = demands.clone();
    Arrays.sort(risingDemands);
    found = new double[blocks];
    Arrays.fill(found, Double.NaN);
  }

  /** The mean load that is usual in a cell; 0 where all is disturbed. */
  double mean(int cell) {
    return of(cell / CELLS, false);
  }

  /** The median load that is usual in a cell, which a few slow moments do not move. */
  double median(int cell) {
    return of(cell / CELLS, true);
  }

  private double of(int block, boolean median) {
    if (Double.isNaN(found[block])) {
      found[block] = like(block, median);
    }
    return found[block];
  }

  private int firstKept(int block, int near) {
    return keptBefore[Math.max(0, block - near)];
  }

  private int endKept(int block, int near) {
    return keptBefore[Math.min(blocks, block + near + 1)];
  }

  private boolean isAll(int block, int near) {
    return block - near <= 0 && block + near + 1 >= blocks;
  }

  private double like(int block, boolean median) {
    double wanted = demand(block);
    double alike = ALIKE_PART * wanted + ALIKE_REQUESTS;
    for (int near = NEAR; ; near *= 2) {
      int from = firstKept(block, near);
      int to = endKept(block, near);
      if (to - from <= FEW) {
        int[] like = new int[to - from];
        int size = 0;
        for (int i = from; i < to; i++) {
          if (Math.abs(demands[i] - wanted) <= alike) {
            like[size++] = i;
          }
        }
        if (size >= FEWEST || isAll(block, near)) {
          return ofFew(Arrays.copyOf(like, size), median);
        }
      } else {
        MovingBlocks moving = moving(ofLoads, near, demands, loads);
        moving.move(
            from,
            to,
            MovingBlocks.firstWithin(risingDemands, wanted, alike),
            MovingBlocks.endWithin(risingDemands, wanted, alike));
        if (moving.size() >= FEWEST || isAll(block, near)) {
          return moving.size() == 0
              ? 0
              : median ? moving.median() : mean(moving.sum(), moving.size());
        }
      }
    }
  }

  private MovingBlocks moving(
      Map<Integer, MovingBlocks> known, int near, double[] keys, double[] values) {
    MovingBlocks first = known.computeIfAbsent(0, none -> new MovingBlocks(keys, values, parts));
    return known.computeIfAbsent(near, each -> first.none());
  }

  private double ofFew(int[] kept, boolean median) {
    if (kept.length == 0) {
      return 0;
    }
    return median
        ? Percentiles.median(Arrays.stream(kept).mapToDouble(i -> loads[i]).toArray())
        : mean(Arrays.stream(kept).mapToLong(i -> parts[i]).sum(), kept.length);
  }

  private static double mean(long sumOfParts, int size) {
    return sumOfParts / (double) PARTS / size;
  }

  private double demand(int block) {
    for (int near = DEMAND_NEAR; ; near *= 2) {
      int from = firstKept(block, near);
      int to = endKept(block, near);
      if (to - from >= FEWEST || isAll(block, near)) {
        return to == from ? 0 : medianAsked(near, from, to);
      }
    }
  }

  private double medianAsked(int near, int from, int to) {
    if (to - from <= FEW) {
      return Percentiles.median(Arrays.copyOfRange(asked, from, to));
    }
    MovingBlocks moving = moving(ofAsked, near, asked, asked);
    moving.move(from, to, 0, asked.length);
    return moving.median();
  }
}
