package org.terrace.cart.process;

import java.util.Arrays;
import org.terrace.core.PercentileRanks;
import org.terrace.core.Percentiles;

/** Latencies, in nanoseconds, up to a number of them. Confined. */
public final class Samples {
  private static final int SAMPLES_MAX = 20_000_000;
  private static final int SAMPLES_FIRST = 1 << 12;

  /** The share that lies outside of an interval of 95 % on each side. */
  private static final double TAIL = 0.025;

  private long[] nanos = new long[SAMPLES_FIRST];
  private int size;
  private long dropped;

  /** Keeps one, or counts it if there are too many. */
  public void add(long sample) {
    if (size == SAMPLES_MAX) {
      dropped++;
      return;
    }
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, Math.min(SAMPLES_MAX, 2 * size));
    }
    nanos[size++] = sample;
  }

  /** A JSON object of their number, rate, mean, standard error and quantiles. */
  public String toJson(double seconds) {
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    double mean = Arrays.stream(sorted).average().orElse(0);
    return "{\"count\": %d, \"perSecond\": %.1f, \"meanMicros\": %.1f, \"standardErrorMicros\": %.1f, "
            .formatted(size, size / seconds, mean / 1e3, standardError(sorted, mean) / 1e3)
        + "\"p50Micros\": %.1f, \"p50LowMicros\": %.1f, \"p50HighMicros\": %.1f, "
            .formatted(at(sorted, 0.5), bound(sorted, 0.5, -1), bound(sorted, 0.5, 1))
        + "\"p99LowMicros\": %.1f, \"p99HighMicros\": %.1f, "
            .formatted(bound(sorted, 0.99, -1), bound(sorted, 0.99, 1))
        + "\"p99Micros\": %.1f, \"p999Micros\": %.1f, \"maxMicros\": %.1f, \"notKept\": %d}"
            .formatted(at(sorted, 0.99), at(sorted, 0.999), at(sorted, 1), dropped);
  }

  /** The number in each bin of that width; the last bin takes all that are longer. */
  public long[] histogram(long binNanos, int bins) {
    long[] counts = new long[bins];
    for (int i = 0; i < size; i++) {
      counts[(int) Math.min(bins - 1, nanos[i] / binNanos)]++;
    }
    return counts;
  }

  private static double standardError(long[] samples, double mean) {
    double squares = 0;
    for (long sample : samples) {
      squares += (sample - mean) * (sample - mean);
    }
    return samples.length < 2 ? 0 : Math.sqrt(squares / (samples.length - 1) / samples.length);
  }

  /**
   * An end of the interval that holds the true quantile with 95 % confidence; the outermost sample,
   * where there are too few for one.
   */
  private static double bound(long[] sorted, double quantile, int side) {
    if (sorted.length == 0) {
      return 0;
    }
    PercentileRanks ranks = PercentileRanks.of(sorted.length, quantile * 100, TAIL);
    int rank = side < 0 ? ranks.low() : ranks.high();
    return sorted[Math.clamp(rank, 1, sorted.length) - 1] / 1e3;
  }

  private static double at(long[] sorted, double quantile) {
    return sorted.length == 0 ? 0 : Percentiles.ofSorted(sorted, quantile * 100) / 1e3;
  }
}
