package org.terrace.studies.transients;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one run, of the server that it is about and of its users. Immutable, except that
 * the arrays inside are shared.
 *
 * @param setting what was run
 * @param users how many users there were
 * @param seconds the length of the run
 * @param windows load and work of the server in windows of 10 ms
 * @param congestionPoint the server's N*, found by Terrace's analysis; null where it could not be
 * @param publishedPoint its N* by the rule of the paper; null where that gives none
 * @param latencyNanos the time of each page, in the order in which they ended
 * @param responseMillis the mean time of the pages that ended in each window of 50 ms; not a number
 *     where none did
 * @param pausedShare the part of each window of 50 ms in which the server's collector stopped it
 * @param clock the server's clock in each window of 50 ms as a part of the fastest, not a number
 *     where it changed; all 1 without a governor
 * @param used what each server used of the processor time it may use
 * @param failed pages that failed
 * @param stalls the stalls that the analysis found at the server
 * @param explained those of them that it put down to the server's collector
 * @param mostCongested the server that was congested longest by the analysis; null where none was
 * @param hasGovernor whether a governor was at work
 * @param failedChecks the checks of the trial that failed, with their figures
 */
record TransientRun(
    TransientSetting setting,
    int users,
    double seconds,
    Windows windows,
    @Nullable Double congestionPoint,
    @Nullable Double publishedPoint,
    long[] latencyNanos,
    double[] responseMillis,
    double[] pausedShare,
    double[] clock,
    List<Used> used,
    int failed,
    int stalls,
    int explained,
    @Nullable String mostCongested,
    boolean hasGovernor,
    List<String> failedChecks) {

  /** Copies the lists. */
  TransientRun {
    used = List.copyOf(used);
    failedChecks = List.copyOf(failedChecks);
  }

  /**
   * The processor time that a server used in each second, as parts of what it may use.
   *
   * @param server its name
   * @param bySecond the readings
   */
  record Used(String server, double[] bySecond) {}

  /** The server in the paper's windows of 50 ms. */
  Windows paperWindows() {
    return windows.at(Windows.PAPER_MILLIS);
  }

  /** Pages a second. */
  double pagesPerSecond() {
    return latencyNanos.length / seconds;
  }

  /** The share of windows of a length in which load was beyond a congestion point. */
  Estimate congested(double point, int millis) {
    Windows at = windows.at(millis);
    return millis < 1_000
        ? Estimate.share(at.count(), i -> at.load()[i] > point)
        : Estimate.shareOfSeconds(at.count(), i -> at.load()[i] > point);
  }

  /** The mean of the pages' times, by the windows in which they ended. */
  Estimate response() {
    return Estimate.mean(responseMillis);
  }

  /** The spread of the mean response time from window to window: its standard deviation. */
  Estimate fluctuation() {
    double[] plain = responseMillis.clone();
    for (int i = 0; i < plain.length; i++) {
      plain[i] = Double.isNaN(plain[i]) ? 0 : plain[i];
    }
    return Estimate.of(
        plain,
        sample ->
            deviation(
                IntStream.of(sample)
                    .mapToDouble(i -> responseMillis[i])
                    .filter(Double::isFinite)
                    .toArray()));
  }

  /** The standard deviation. */
  static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElse(Double.NaN);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / values.length);
  }
}
