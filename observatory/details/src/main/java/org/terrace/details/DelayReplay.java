package org.terrace.details;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The load of one server as it would have been without some of what held it up: the requests that
 * came are replayed through the server's own curve of throughput by load.
 *
 * <p>In each cell of {@value #CELL_MILLIS} ms the server ended a part of what is usual at its load,
 * mostly about all. A replay takes the same arrivals, and ends that part of what is usual at the
 * load of the replay; in cells that are freed it ends what is usual. With no cell freed it is what
 * was observed, to the request. The usual throughput is measured in the cells that are not
 * disturbed: means over bins of load, made to rise, level beyond the highest load seen. The usual
 * load is that of near moments of like demand ({@link LocalUsual}), so that a rise of demand is no
 * delay.
 *
 * <p>Limits: as many requests come, though users who wait less ask again sooner; what a request
 * needs is the mean; servers are replayed apart, so that what callers hold back while a server is
 * held up is taken to come evenly from then to the end of the disturbance. Pure; takes O(requests +
 * cells) time and tens of bytes a cell, of which the longest stretch that is analysed, 6 h, has 2
 * million.
 */
final class DelayReplay {
  static final int CELL_MILLIS = 10;
  static final long CELL_NANOS = CELL_MILLIS * 1_000_000L;
  private static final int FEWEST_IN_BIN = 20;
  private static final double BIN_GROWTH = 1.2;

  /** The load beside the usual up to which a disturbance goes on. */
  private static final double SETTLED = 1.25;

  /** The cells without a disturbance that end an episode. */
  private static final int APART = 50;

  /** The cells around a crowd that tell what comes usually, and the fewest of them. */
  private static final int AROUND = 500;

  private static final int FEWEST_AROUND = 100;

  /** The deviations of random traffic above which more came than usual. */
  private static final double DEVIATIONS = 3;

  private final int count;
  private final double[] arrivals;
  private final int[] ended;

  /** Requests present at the start of each cell, and at the end of the last. */
  private final int[] present;

  private final boolean[] disturbed;
  private final LocalUsual usualPresent;
  private double[] binLoad = new double[0];
  private double[] binEnded = new double[0];

  /**
   * A replay of requests.
   *
   * @param presentAtFirst those that were there at the start of the first cell
   * @param arrivals those that came in each cell
   * @param ended those that ended in each
   * @param stalled the cells in which the server stalled or was congested
   * @param slow those of them that tell nothing of what it can do
   */
  DelayReplay(
      int presentAtFirst, double[] arrivals, int[] ended, boolean[] stalled, boolean[] slow) {
    count = stalled.length;
    this.arrivals = arrivals;
    this.ended = ended;
    present = new int[count + 1];
    present[0] = presentAtFirst;
    for (int i = 0; i < count; i++) {
      present[i + 1] = present[i] + (int) arrivals[i] - ended[i];
    }
    disturbed = stalled.clone();
    LocalUsual settled = new LocalUsual(arrivals, present, stalled);
    for (int i = 1; i < count; i++) {
      disturbed[i] |= disturbed[i - 1] && present[i] > SETTLED * settled.median(i) + 1;
    }
    usualPresent = new LocalUsual(arrivals, present, disturbed);
    fit(slow);
  }

  int cells() {
    return count;
  }

  private double asked(double load, int cell) {
    return load + arrivals[cell] / 2;
  }

  /** One bin of load with its cells, and more where what they ended does not rise. */
  private record Bin(double load, double ended, int cells) {
    Bin and(Bin other) {
      int all = cells + other.cells;
      return new Bin(
          (load * cells + other.load * other.cells) / all,
          (ended * cells + other.ended * other.cells) / all,
          all);
    }
  }

  private void fit(boolean[] slow) {
    // Twice the load that was asked is a whole number: cells of one load are pooled.
    Map<Integer, Bin> pooled = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      if (!slow[i]) {
        pooled.merge(
            2 * present[i] + (int) arrivals[i],
            new Bin(asked(present[i], i), ended[i], 1),
            Bin::and);
      }
    }
    List<Bin> bins = new ArrayList<>();
    double first = 0;
    Bin open = null;
    for (Bin cell : pooled.values()) {
      if (open != null && open.cells >= FEWEST_IN_BIN && cell.load > BIN_GROWTH * first) {
        bins.add(open);
        open = null;
      }
      first = open == null ? cell.load : first;
      open = open == null ? cell : open.and(cell);
    }
    if (open != null && (open.cells >= FEWEST_IN_BIN || bins.isEmpty())) {
      bins.add(open);
    }
    List<Bin> rising = new ArrayList<>();
    for (Bin bin : bins) {
      Bin last = bin;
      while (!rising.isEmpty() && rising.getLast().ended >= last.ended) {
        last = rising.removeLast().and(last);
      }
      rising.add(last);
    }
    binLoad = rising.stream().mapToDouble(Bin::load).toArray();
    binEnded = rising.stream().mapToDouble(Bin::ended).toArray();
  }

  /** The requests that the server usually ends in a cell at a load. */
  double usual(double load) {
    double fromLoad = 0;
    double fromEnded = 0;
    for (int i = 0; i < binLoad.length; i++) {
      if (load <= binLoad[i]) {
        double width = Math.max(Double.MIN_NORMAL, binLoad[i] - fromLoad);
        return fromEnded + (binEnded[i] - fromEnded) * (load - fromLoad) / width;
      }
      fromLoad = binLoad[i];
      fromEnded = binEnded[i];
    }
    return fromEnded;
  }

  /** The delay over the usual in each cell, in request-seconds; zero where nothing disturbed. */
  double[] overUsual() {
    double[] over = new double[count];
    for (int i = 0; i < count; i++) {
      over[i] = disturbed[i] ? (present[i] - usualPresent.mean(i)) * CELL_MILLIS / 1e3 : 0;
    }
    return over;
  }

  /**
   * The delay of each disturbed cell that would be gone, in request-seconds.
   *
   * @param freed the cells in which the server is what it usually is
   * @param came the arrivals of each cell
   */
  double[] saved(boolean[] freed, double[] came) {
    double[] saved = new double[count];
    double load = present[0];
    for (int i = 0; i < count; i++) {
      saved[i] = disturbed[i] ? (present[i] - load) * CELL_MILLIS / 1e3 : 0;
      double usualThen = usual(asked(present[i], i));
      double part = freed[i] || usualThen <= 0 ? 1 : ended[i] / usualThen;
      double able = usual(load + came[i] / 2) * part;
      load = Math.max(0, load + came[i] - Math.min(load + came[i], able));
    }
    return saved;
  }

  /** The arrivals, those of some stretches of cells spread evenly over each. */
  double[] spread(double[] came, List<int[]> stretches) {
    double[] even = came.clone();
    for (int[] each : stretches) {
      double sum = Arrays.stream(even, each[0], each[1]).sum();
      Arrays.fill(even, each[0], each[1], sum / Math.max(1, each[1] - each[0]));
    }
    return even;
  }

  /** The arrivals, in crowded stretches no more than usual around them. */
  double[] withoutCrowd(double[] came, boolean[] crowded) {
    double[] less = came.clone();
    for (int from = 0; from < count; from++) {
      int to = from;
      double sum = 0;
      while (to < count && crowded[to]) {
        sum += less[to++];
      }
      if (to > from) {
        double usual = (to - from) * usualArrivals(from, to, crowded);
        // Random traffic that is a little above its mean is no crowd.
        if (sum > usual + DEVIATIONS * Math.sqrt(usual)) {
          for (int i = from; i < to; i++) {
            less[i] *= usual / sum;
          }
        }
        from = to;
      }
    }
    return less;
  }

  private double usualArrivals(int from, int to, boolean[] crowded) {
    for (int near = AROUND; ; near *= 2) {
      int low = Math.max(0, from - near);
      int high = Math.min(count, to + near);
      double sum = 0;
      int cells = 0;
      for (int i = low; i < high; i++) {
        if (!crowded[i] && !disturbed[i]) {
          sum += arrivals[i];
          cells++;
        }
      }
      if (cells >= FEWEST_AROUND || (low == 0 && high == count)) {
        return cells == 0 ? 0 : sum / cells;
      }
    }
  }

  /** The episodes of disturbance, each from its first cell to the first after it. */
  List<int[]> episodes() {
    List<int[]> episodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (disturbed[i]) {
        if (!episodes.isEmpty() && i - episodes.getLast()[1] < APART) {
          episodes.getLast()[1] = i + 1;
        } else {
          episodes.add(new int[] {i, i + 1});
        }
      }
    }
    return episodes;
  }

  /** The stretches of cells from those that are freed to the end of the disturbance around them. */
  List<int[]> aftermath(boolean[] freed) {
    List<int[]> stretches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = i;
      while (i < count && (freed[i] || (i > from && disturbed[i]))) {
        i++;
      }
      if (i > from) {
        stretches.add(new int[] {from, i});
      }
    }
    return stretches;
  }

  double[] arrivals() {
    return arrivals.clone();
  }
}
