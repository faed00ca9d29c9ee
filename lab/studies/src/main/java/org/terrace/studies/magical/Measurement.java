package org.terrace.studies.magical;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.tail.TailSummary;
import org.terrace.core.RequestIdentity;
import org.terrace.studies.probes.Components;
import org.terrace.studies.probes.ProbeChecks;
import org.terrace.studies.probes.ProbeRows;

/**
 * The outcome of one configuration of one application. The calls themselves are not kept.
 * Immutable.
 *
 * @param tail of the end-to-end latency, P2 - P1
 * @param split which part made the outliers beyond 3 sigma
 * @param leastNanos the least latency
 * @param serverMeanNanos the mean of P5 - P4
 * @param rate requests a second at P4, over the whole run
 * @param peakRate the most requests at P4 within a second; the rate where the run was shorter
 * @param outlierZ z-scores of the outliers, the largest first, at most {@value #OUTLIERS_KEPT}
 * @param outliersByTenth outliers in each tenth of the run
 * @param outliersInBursts outliers among whose {@value #NEIGHBOURS} predecessors is another
 * @param unanswered calls that came to no reply
 * @param checks of the probes
 */
record Measurement(
    MagicalConfiguration configuration,
    TailSummary tail,
    Components.Split split,
    long leastNanos,
    double serverMeanNanos,
    double rate,
    double peakRate,
    List<Double> outlierZ,
    List<Integer> outliersByTenth,
    int outliersInBursts,
    int unanswered,
    List<Validity> checks) {
  static final int OUTLIERS_KEPT = 60;
  static final int NEIGHBOURS = 5;
  private static final int TENTHS = 10;
  private static final double SECOND_NANOS = 1e9;

  Measurement {
    outlierZ = List.copyOf(outlierZ);
    outliersByTenth = List.copyOf(outliersByTenth);
    checks = List.copyOf(checks);
  }

  /** The part of all calls that lies beyond 3 sigma, 0 to 1. */
  double outlierShare() {
    return tail.sigmaOutliers().share();
  }

  int calls() {
    return tail.moments().count();
  }

  double meanMillis() {
    return tail.moments().meanNanos() / 1e6;
  }

  /** The z-score of the upper end of the 99th percentile's interval; infinite where it is open. */
  double highZ() {
    Long high = tail.p99().highNanos();
    return high == null ? Double.POSITIVE_INFINITY : tail.moments().z((double) high);
  }

  /** The z-score of the lower end. */
  double lowZ() {
    Long low = tail.p99().lowNanos();
    return low == null ? Double.NEGATIVE_INFINITY : tail.moments().z((double) low);
  }

  /** The upper end over the mean; infinite where it is open. */
  double highOverMean() {
    Long high = tail.p99().highNanos();
    return high == null ? Double.POSITIVE_INFINITY : high / tail.moments().meanNanos();
  }

  /** The lower end over the mean; 0 where it is open. */
  double lowOverMean() {
    Long low = tail.p99().lowNanos();
    return low == null ? 0 : low / tail.moments().meanNanos();
  }

  double maxOverMean() {
    return tail.maxNanos() / tail.moments().meanNanos();
  }

  /**
   * Evaluates the probes of one run.
   *
   * @param client P1 and P2 of the measured calls, by time
   * @param servers P4 and P5 of the same time, with rows of other runs among them
   * @param planned how many calls were to be measured
   */
  static Measurement of(
      MagicalConfiguration configuration,
      ProbeRows client,
      ProbeRows servers,
      int planned,
      int unanswered,
      long seed) {
    ProbeRows served = ofTheseCalls(client, servers);
    Components parts = Components.of(client, served);
    long[] latencies = client.durations();
    TailSummary tail = TailSummary.of(latencies, seed);
    double threshold = tail.sigmaOutliers().thresholdNanos();
    Rate rate = Rate.of(served.size() == 0 ? client.startNanos() : firsts(served));
    return new Measurement(
        configuration,
        tail,
        parts.split(threshold),
        Arrays.stream(latencies).min().orElse(0),
        Arrays.stream(parts.serverNanos()).average().orElse(0),
        rate.mean,
        rate.peak,
        Arrays.stream(latencies)
            .filter(latency -> latency > threshold)
            .mapToObj(latency -> tail.moments().z((double) latency))
            .sorted((a, b) -> Double.compare(b, a))
            .limit(OUTLIERS_KEPT)
            .toList(),
        byTenth(latencies, threshold),
        inBursts(latencies, threshold),
        unanswered,
        List.of(
            ProbeChecks.plannedCalls(client.size(), planned),
            ProbeChecks.enoughCalls(client.size(), 99, TailSummary.CONFIDENCE),
            ProbeChecks.notSwapped("P1, P2", client),
            ProbeChecks.notSwapped("P4, P5", served),
            ProbeChecks.sameUnit(client, served),
            ProbeChecks.resolved("P1, P2", client),
            ProbeChecks.matched(parts)));
  }

  /** The servers' rows of these calls; those of the warm-up and of other runs are left out. */
  private static ProbeRows ofTheseCalls(ProbeRows client, ProbeRows servers) {
    Map<Long, Long> firstMeasured = new HashMap<>();
    for (RequestIdentity call : client.identities()) {
      firstMeasured.merge(call.client(), call.sequence(), Math::min);
    }
    int[] kept = new int[servers.size()];
    int count = 0;
    for (int row = 0; row < kept.length; row++) {
      RequestIdentity call = servers.identities().get(row);
      if (call.sequence() >= firstMeasured.getOrDefault(call.client(), Long.MAX_VALUE)) {
        kept[count++] = row;
      }
    }
    int[] rows = Arrays.copyOf(kept, count);
    return new ProbeRows(
        Arrays.stream(rows).mapToObj(servers.identities()::get).toList(),
        Arrays.stream(rows).mapToLong(row -> servers.startNanos()[row]).toArray(),
        Arrays.stream(rows).mapToLong(row -> servers.endNanos()[row]).toArray());
  }

  /**
   * The times at which each call first arrived at a server: with active replicas it arrives at
   * each.
   */
  private static long[] firsts(ProbeRows served) {
    Map<RequestIdentity, Long> first = new HashMap<>(2 * served.size());
    for (int row = 0; row < served.size(); row++) {
      first.merge(served.identities().get(row), served.startNanos()[row], Math::min);
    }
    return first.values().stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private record Rate(double mean, double peak) {
    static Rate of(long[] arrivals) {
      if (arrivals.length < 2) {
        return new Rate(0, 0);
      }
      double seconds = (arrivals[arrivals.length - 1] - arrivals[0]) / SECOND_NANOS;
      double mean = (arrivals.length - 1) / Math.max(seconds, 1 / SECOND_NANOS);
      int[] each = new int[(int) seconds];
      for (long arrival : arrivals) {
        int second = (int) ((arrival - arrivals[0]) / SECOND_NANOS);
        if (second < each.length) {
          each[second]++;
        }
      }
      return new Rate(mean, Arrays.stream(each).mapToDouble(count -> count).max().orElse(mean));
    }
  }

  private static List<Integer> byTenth(long[] latencies, double threshold) {
    Integer[] tenths = new Integer[TENTHS];
    Arrays.fill(tenths, 0);
    for (int i = 0; i < latencies.length; i++) {
      if (latencies[i] > threshold) {
        tenths[(int) ((long) i * TENTHS / latencies.length)]++;
      }
    }
    return List.of(tenths);
  }

  private static int inBursts(long[] latencies, double threshold) {
    int last = -NEIGHBOURS - 1;
    int count = 0;
    for (int i = 0; i < latencies.length; i++) {
      if (latencies[i] > threshold) {
        count += i - last <= NEIGHBOURS ? 1 : 0;
        last = i;
      }
    }
    return count;
  }
}
