package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.terrace.core.Percentiles;

/**
 * The trends of a server's throughput when it is congested: one for each clock it ran at.
 * Immutable.
 *
 * @param trends of each clock at which it was congested in enough windows, the slowest first
 */
record Trends(List<Trend> trends) {
  /** The fewest congested windows that make a trend. */
  static final int LEAST_WINDOWS = 20;

  private static final double MEDIAN = 50;

  /**
   * The throughput at one clock.
   *
   * @param clock as a part of the fastest
   * @param throughput the median of the congested windows, a second
   */
  record Trend(double clock, Estimate throughput) {}

  /** Copies the list. */
  Trends {
    trends = List.copyOf(trends);
  }

  /** The trends of a run's windows of 50 ms with a load beyond a congestion point. */
  static Trends of(TransientRun run, double point) {
    Windows windows = run.paperWindows();
    TreeSet<Double> clocks = new TreeSet<>();
    Arrays.stream(run.clock()).filter(Double::isFinite).forEach(clocks::add);
    List<Trend> found = new ArrayList<>();
    for (double clock : clocks) {
      double[] throughput =
          IntStream.range(0, Math.min(windows.count(), run.clock().length))
              .filter(i -> run.clock()[i] == clock && windows.load()[i] > point)
              .mapToDouble(windows::throughput)
              .toArray();
      if (throughput.length >= LEAST_WINDOWS) {
        found.add(new Trend(clock, median(throughput)));
      }
    }
    return new Trends(found);
  }

  private static Estimate median(double[] values) {
    return Estimate.of(
        values,
        sample -> {
          double[] sorted = IntStream.of(sample).mapToDouble(i -> values[i]).sorted().toArray();
          return Percentiles.ofSorted(sorted, MEDIAN);
        });
  }

  /** The number of those whose intervals lie above those of all slower ones that count. */
  int apart() {
    int count = 0;
    Estimate last = null;
    for (Trend trend : trends.stream().sorted(Comparator.comparingDouble(Trend::clock)).toList()) {
      if (last == null || last.isBelow(trend.throughput())) {
        count++;
        last = trend.throughput();
      }
    }
    return count;
  }
}
