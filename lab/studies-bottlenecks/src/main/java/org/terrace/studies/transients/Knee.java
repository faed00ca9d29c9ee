package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;

/**
 * The knee of a server's throughput over load, for windows that are too few for the analysis to
 * identify N*: the lowest load at which the median throughput is within {@value #WITHIN} of the
 * most. Medians are those of bins that are half an octave of load wide. Stateless.
 */
final class Knee {
  static final double WITHIN = 0.05;

  /** Fewer windows than this tell no median. */
  static final int LEAST_WINDOWS = 8;

  private static final double BINS_AN_OCTAVE = 2;

  private Knee() {}

  /** The knee of windows of 50 ms of several runs; null where no bin beyond it has enough. */
  static @Nullable Double of(List<Windows> runs) {
    TreeMap<Integer, List<Double>> bins = new TreeMap<>();
    for (Windows windows : runs) {
      for (int i = 0; i < windows.count(); i++) {
        if (windows.load()[i] > 0) {
          bins.computeIfAbsent(bin(windows.load()[i]), _ -> new ArrayList<>())
              .add(windows.throughput(i));
        }
      }
    }
    bins.values().removeIf(values -> values.size() < LEAST_WINDOWS);
    double most = bins.values().stream().mapToDouble(Knee::median).max().orElse(Double.NaN);
    for (int bin : bins.keySet()) {
      if (median(bins.getOrDefault(bin, List.of())) >= most * (1 - WITHIN)) {
        // A curve that still rises at its end has not shown a knee.
        return bin == bins.lastKey() ? null : Math.pow(2, bin / BINS_AN_OCTAVE);
      }
    }
    return null;
  }

  private static int bin(double load) {
    return (int) Math.floor(Math.log(load) / Math.log(2) * BINS_AN_OCTAVE);
  }

  private static double median(List<Double> boxed) {
    return Percentiles.median(boxed.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
