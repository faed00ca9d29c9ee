package org.terrace.analysis;

import java.util.Arrays;

/**
 * The work that a request of each class stands for, so that the throughputs of windows with
 * different mixes can be compared.
 *
 * <p>The service time of a class is approximated by its mean residence at low load: over requests
 * that arrived when few others were in flight and that no stall delayed. The state on arrival is
 * read at the start of the arrival's cell, so that a request's own length does not decide whether
 * it counts. Low means: as few in flight as at the least loaded {@value #LOW_LOAD_SHARE} of
 * arrivals.
 *
 * <p>Robust units are that mean over the mean of the average request, so a unit is an average
 * request and work units a second stay near completions a second. Published units follow Wang et
 * al. (2013), section III-B: whole multiples of the greatest common divisor of the service times.
 */
final class WorkUnits {
  static final double LOW_LOAD_SHARE = 0.2;

  /** Fewer low-load requests than this do not tell a class's service time. */
  static final int FEWEST_REQUESTS = 20;

  /** Steps that the shortest service time is divided into before a common divisor is sought. */
  static final int STEPS_OF_SHORTEST = 10;

  /** Mean low-load residence of each class in nanoseconds; NaN when too few were seen. */
  final double[] serviceNanos;

  /** The squared coefficient of variation of each class's low-load residence; zero if unknown. */
  final double[] classVariation;

  /** The squared coefficient of variation of low-load residence over all classes. */
  final double squaredVariation;

  /** The classes whose service time is known. */
  final int knownClasses;

  private WorkUnits(
      double[] serviceNanos, double[] classVariation, double squaredVariation, int knownClasses) {
    this.serviceNanos = serviceNanos;
    this.classVariation = classVariation;
    this.squaredVariation = squaredVariation;
    this.knownClasses = knownClasses;
  }

  /** The service times of a server's classes. O(requests). */
  static WorkUnits of(ServerRequests requests, Cells cells, boolean[] stalledCells) {
    int classes = requests.classNames.size();
    boolean[] low = lowCells(cells);
    int[] stalledBefore = new int[cells.count + 1];
    for (int cell = 0; cell < cells.count; cell++) {
      stalledBefore[cell + 1] = stalledBefore[cell] + (stalledCells[cell] ? 1 : 0);
    }
    int[] counts = new int[classes];
    double[] sums = new double[classes];
    double[] squares = new double[classes];
    long span = cells.count * WindowLengths.CELL_NANOS;
    int first = requests.firstArrivalAtOrAfter(cells.startNanos);
    int end = requests.firstArrivalAtOrAfter(cells.startNanos + span);
    for (int row = first; row < end; row++) {
      int arrivalCell =
          (int) ((requests.arrival[row] - cells.startNanos) / WindowLengths.CELL_NANOS);
      if (!low[arrivalCell] || !ServerRequests.isCompletion(requests.outcome[row])) {
        continue;
      }
      long departed = Math.min(requests.departure[row] - cells.startNanos, span - 1);
      int departureCell = (int) (departed / WindowLengths.CELL_NANOS);
      if (stalledBefore[departureCell + 1] > stalledBefore[arrivalCell]) {
        continue;
      }
      double residence = requests.departure[row] - requests.arrival[row];
      counts[requests.requestClass[row]]++;
      sums[requests.requestClass[row]] += residence;
      squares[requests.requestClass[row]] += residence * residence;
    }
    return of(counts, sums, squares);
  }

  private static WorkUnits of(int[] counts, double[] sums, double[] squares) {
    double[] variation = new double[counts.length];
    double sumOfSquares = 0;
    double[] service = new double[counts.length];
    int known = 0;
    long count = 0;
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      count += counts[i];
      sum += sums[i];
      boolean enough = counts[i] >= FEWEST_REQUESTS && sums[i] > 0;
      service[i] = enough ? sums[i] / counts[i] : Double.NaN;
      known += enough ? 1 : 0;
      sumOfSquares += squares[i];
      variation[i] = enough ? variation(counts[i], sums[i], squares[i]) : 0;
    }
    return new WorkUnits(service, variation, variation(count, sum, sumOfSquares), known);
  }

  private static double variation(long count, double sum, double squares) {
    return sum == 0 ? 0 : Math.max(0, squares * count / (sum * sum) - 1);
  }

  /** The cells at whose start few requests were in flight. */
  static boolean[] lowCells(Cells cells) {
    int most = Arrays.stream(cells.inFlightAtStart).max().orElse(0);
    long[] arrivalsAt = new long[most + 1];
    long all = 0;
    for (int cell = 0; cell < cells.count; cell++) {
      arrivalsAt[cells.inFlightAtStart[cell]] += cells.arrivals[cell];
      all += cells.arrivals[cell];
    }
    int limit = 0;
    long covered = arrivalsAt[0];
    while (limit < most && covered < LOW_LOAD_SHARE * all) {
      covered += arrivalsAt[++limit];
    }
    boolean[] low = new boolean[cells.count];
    for (int cell = 0; cell < cells.count; cell++) {
      low[cell] = cells.inFlightAtStart[cell] <= limit;
    }
    return low;
  }

  /**
   * The robust units of each class, given its completed requests. A class whose service time is
   * unknown counts as an average request.
   */
  double[] robust(Residences residences) {
    double average = averageNanos(residences);
    double[] units = new double[serviceNanos.length];
    for (int i = 0; i < units.length; i++) {
      double unit = serviceNanos[i] / average;
      units[i] = Double.isFinite(unit) ? unit : 1;
    }
    return units;
  }

  /** The time that an average request takes at low load, in nanoseconds; NaN when unknown. */
  double averageNanos(Residences residences) {
    double work = 0;
    long completed = 0;
    for (int i = 0; i < serviceNanos.length; i++) {
      if (!Double.isNaN(serviceNanos[i])) {
        work += serviceNanos[i] * residences.count(i);
        completed += residences.count(i);
      }
    }
    return completed == 0 ? Double.NaN : work / completed;
  }

  /**
   * The published units of each class. A greatest common divisor is undefined on real numbers, so
   * service times are first rounded to whole steps of a {@value #STEPS_OF_SHORTEST}th of the
   * shortest of them, at least one step; the divisor of those is the work unit. A class whose
   * service time is unknown counts one unit.
   */
  double[] published() {
    return published(serviceNanos);
  }

  static double[] published(double[] serviceNanos) {
    double shortest = Double.POSITIVE_INFINITY;
    for (double service : serviceNanos) {
      if (!Double.isNaN(service)) {
        shortest = Math.min(shortest, service);
      }
    }
    double step = shortest / STEPS_OF_SHORTEST;
    long divisor = 0;
    for (double service : serviceNanos) {
      if (!Double.isNaN(service)) {
        divisor = greatestCommonDivisor(steps(service, step), divisor);
      }
    }
    double[] units = new double[serviceNanos.length];
    for (int i = 0; i < units.length; i++) {
      units[i] =
          Double.isNaN(serviceNanos[i]) ? 1 : steps(serviceNanos[i], step) / (double) divisor;
    }
    return units;
  }

  private static long steps(double service, double step) {
    return Math.max(1, Math.round(service / step));
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
