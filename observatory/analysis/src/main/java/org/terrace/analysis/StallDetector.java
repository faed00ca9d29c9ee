package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.congestion.ServiceRate;
import org.terrace.core.Order;
import org.terrace.core.Poisson;
import org.terrace.core.RadixSort;

/**
 * Finds stalls of one server: stretches in which requests wait and few or none are answered, too
 * few to be chance.
 *
 * <p>A window of {@value WindowLengths#STALL_MILLIS} ms is a candidate when its load is above the
 * median of the windows that answered something, and its throughput is below {@value #LITTLE} of
 * the 95th percentile. On a server with few requests an empty window is ordinary, so adjacent
 * candidates are joined, their edges refined to a request ({@link StallEdges}), and the stall kept
 * only if so few answers would be rarer than {@value #FALSE_ALARMS} in the whole observation under
 * both of two models:
 *
 * <ul>
 *   <li>the server answers at the rate that is usual at that load ({@link ServiceRate}), as a
 *       Poisson process with the dispersion seen in other windows;
 *   <li>each waiting request ends as requests of its class and age usually do when few others are
 *       in flight: the expected number is the sum of {@code ln S(age at start) - ln S(age at end)},
 *       with S the survival of the class's residence times at low load. So one slow page alone is
 *       no stall, and queues of busier times excuse no silence;
 *   <li>the requests in service are slow ones and hold the others up ({@link Blocking}).
 * </ul>
 *
 * <p>Windows and candidates follow Wang et al., Detecting transient bottlenecks in n-tier
 * applications through fine-grained analysis, 2013; the significance is Terrace's own.
 */
final class StallDetector {
  /** The part of the usual peak throughput below which a window answers little. */
  static final double LITTLE = 0.15;

  private static final double PEAK_QUANTILE = 0.95;
  private static final double HALF = 0.5;

  /** Fewer requests at low load than this do not tell how long those of a class take. */
  private static final int FEWEST_ALONE = 50;

  /** The false stalls that chance may add to one server's observation. */
  private static final double FALSE_ALARMS = 0.01;

  private final ServerRequests requests;
  private final Cells cells;
  private final Residences residences;
  private final double[] load;
  private final double[] throughput;

  /** The windows of which nothing is known. */
  private final boolean[] lost;

  private final boolean[] candidate;
  private final ServiceRate rate;
  private final Residences alone;

  private StallDetector(ServerRequests requests, Cells cells, Residences residences) {
    this.requests = requests;
    this.cells = cells;
    this.residences = residences;
    load = cells.load(WindowLengths.STALL_MILLIS);
    throughput = cells.throughput(WindowLengths.STALL_MILLIS);
    lost = cells.anyInWindow(cells.lostCells(), WindowLengths.STALL_MILLIS);
    candidate = candidates();
    rate = ServiceRate.of(load, throughput, either(candidate, lost), WindowLengths.STALL_MILLIS);
    alone = Residences.atLowLoad(requests, cells, new RadixSort());
  }

  /**
   * The result of a detection.
   *
   * @param stalls the stalls in order of time, without causes
   * @param units the work units of the server's classes, measured outside of suspected stalls
   * @param shortestNanos the shortest stall that its usual rate of messages tells from chance, in
   *     nanoseconds; the greatest long where none could be told
   */
  record Detection(List<DetectedStall> stalls, WorkUnits units, long shortestNanos) {}

  /** The stalls of a server. */
  static Detection detect(
      ServerRequests requests, Cells cells, Residences residences, int parallel) {
    if (cells.windows(WindowLengths.STALL_MILLIS) == 0) {
      WorkUnits units = WorkUnits.of(requests, cells, new boolean[cells.count]);
      return new Detection(List.of(), units, Long.MAX_VALUE);
    }
    StallDetector detector = new StallDetector(requests, cells, residences);
    List<DetectedStall> suspects = detector.suspects();
    WorkUnits units = WorkUnits.of(requests, cells, cells.overlapping(suspects));
    Blocking blocking = new Blocking(units, residences, parallel);
    return new Detection(
        suspects.stream()
            .filter(stall -> blocking.expectedSilences(stall.silenceNanos()) <= FALSE_ALARMS)
            .toList(),
        units,
        Math.max(detector.shortestByRate(), blocking.shortest(FALSE_ALARMS)));
  }

  /** The time in which enough answers are usual at the median load to be missed. */
  private long shortestByRate() {
    double perSecond = rate.at(Order.quantile(load, withoutAnswers(), HALF));
    double shortest = perSecond > 0 ? enough() / perSecond * 1e9 : Double.POSITIVE_INFINITY;
    return (long) Math.min(Long.MAX_VALUE, shortest);
  }

  /** The usual answers that must be missing for a silence to be no chance. */
  private double enough() {
    return -Math.log(chance()) * rate.dispersion;
  }

  private double chance() {
    return FALSE_ALARMS / Math.max(1, residences.count());
  }

  private static boolean[] either(boolean[] one, boolean[] other) {
    boolean[] either = one.clone();
    for (int i = 0; i < either.length; i++) {
      either[i] |= other[i];
    }
    return either;
  }

  private boolean[] withoutAnswers() {
    boolean[] silent = lost.clone();
    for (int window = 0; window < load.length; window++) {
      silent[window] |= throughput[window] == 0;
    }
    return silent;
  }

  private boolean[] candidates() {
    boolean[] silent = withoutAnswers();
    double peak = Order.quantile(throughput, lost, PEAK_QUANTILE);
    double little = LITTLE * peak;
    double highLoad =
        Math.min(
            Order.quantile(load, silent, HALF),
            ServiceRate.of(load, throughput, silent, WindowLengths.STALL_MILLIS)
                .lowestLoadWithHalf(peak));
    boolean[] result = new boolean[load.length];
    for (int window = 0; window < load.length; window++) {
      boolean few = silent[window] || throughput[window] < little;
      result[window] = load[window] > highLoad && few && !lost[window];
    }
    return result;
  }

  private List<DetectedStall> suspects() {
    double chance = chance();
    double enough = enough();
    StallEdges edges = new StallEdges(requests, cells, rate);
    List<DetectedStall> found = new ArrayList<>();
    int window = 0;
    while (window < candidate.length) {
      if (!candidate[window]) {
        window++;
        continue;
      }
      int first = window;
      while (window < candidate.length && candidate[window]) {
        window++;
      }
      if (mostExpected(first, window) >= enough) {
        StallEdges.Refined refined = edges.refine(first, window);
        if (refined != null && !touchesLoss(refined.stall()) && isUnlikely(refined, chance)) {
          addMerged(found, refined.stall());
        }
      }
    }
    return found;
  }

  /** Whether messages may be missing from the capture alone. */
  private boolean touchesLoss(DetectedStall stall) {
    return cells.lost.overlap(stall.startNanos(), stall.endNanos()) > 0;
  }

  /** An upper bound of the usual answers of a run of windows and their neighbours. */
  private double mostExpected(int firstWindow, int endWindow) {
    double expected = 0;
    int from = Math.max(0, firstWindow - 1);
    int to = Math.min(load.length, endWindow + 1);
    for (int window = from; window < to; window++) {
      expected += rate.at(load[window]) * WindowLengths.STALL_MILLIS / 1e3;
    }
    return expected;
  }

  private boolean isUnlikely(StallEdges.Refined refined, double chance) {
    double byLoad = refined.expected() / rate.dispersion;
    if (Poisson.atMost((int) Math.ceil(refined.answers() / rate.dispersion), byLoad) > chance) {
      return false;
    }
    double byAge = expectedByAge(refined);
    return Poisson.atMost(refined.answers(), byAge) <= chance;
  }

  private double expectedByAge(StallEdges.Refined refined) {
    long start = refined.stall().startNanos();
    long end = refined.stall().endNanos();
    double expected = 0;
    for (int row : refined.rows()) {
      long arrived = requests.arrival[row];
      long ageAtStart = Math.max(0, start - arrived);
      long ageAtEnd = Math.min(end, requests.departure[row]) - arrived;
      if (ageAtEnd > ageAtStart) {
        int requestClass = requests.requestClass[row];
        Residences usual = alone.count(requestClass) >= FEWEST_ALONE ? alone : residences;
        expected +=
            Math.log(
                (usual.longerThan(requestClass, ageAtStart) + 1.0)
                    / (usual.longerThan(requestClass, ageAtEnd) + 1.0));
      }
    }
    return expected;
  }

  private static void addMerged(List<DetectedStall> found, DetectedStall stall) {
    if (!found.isEmpty() && found.getLast().endNanos() >= stall.startNanos()) {
      DetectedStall last = found.removeLast();
      found.add(
          new DetectedStall(
              Math.min(last.startNanos(), stall.startNanos()),
              Math.max(last.endNanos(), stall.endNanos()),
              Math.max(last.peakLoad(), stall.peakLoad()),
              Math.max(last.silenceNanos(), stall.silenceNanos())));
    } else {
      found.add(stall);
    }
  }
}
