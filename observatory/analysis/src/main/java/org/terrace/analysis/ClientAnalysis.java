package org.terrace.analysis;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Percentiles;
import org.terrace.core.RadixSort;

/**
 * The analysis of the clients' own view: rates, errors and response times by the second and in all.
 * Stateless.
 */
final class ClientAnalysis {
  private static final int INTERVAL_MILLIS = 1_000;
  private static final long INTERVAL_NANOS = INTERVAL_MILLIS * 1_000_000L;

  private ClientAnalysis() {}

  /** The series of the clients' own requests over a stretch of time. */
  static ClientSeries of(ServerRequests rows, Stretch stretch, RadixSort sort) {
    Residences residences = Residences.of(rows, stretch, sort);
    Cells cells = Cells.of(rows, stretch);
    int intervals = cells.windows(INTERVAL_MILLIS);
    int[] good = new int[intervals];
    int[] bad = new int[intervals];
    int[] answers = new int[intervals + 1];
    count(rows, stretch, good, bad, answers);
    for (int i = 0; i < intervals; i++) {
      answers[i + 1] += answers[i];
    }
    long[] byInterval = groupByInterval(rows, stretch, answers);
    double[] p50 = new double[intervals];
    double[] p99 = new double[intervals];
    double[] goodPerSecond = new double[intervals];
    double[] badPerSecond = new double[intervals];
    for (int i = 0; i < intervals; i++) {
      sort.sort(byInterval, answers[i], answers[i + 1]);
      p50[i] = micros(byInterval, answers[i], answers[i + 1], 50);
      p99[i] = micros(byInterval, answers[i], answers[i + 1], 99);
      goodPerSecond[i] = good[i] * 1e3 / INTERVAL_MILLIS;
      badPerSecond[i] = bad[i] * 1e3 / INTERVAL_MILLIS;
    }
    double[] ones = new double[rows.classNames.size()];
    Arrays.fill(ones, 1);
    double[] unknown = new double[ones.length];
    Arrays.fill(unknown, Double.NaN);
    return new ClientSeries(
        stretch.startNanos(),
        INTERVAL_NANOS,
        goodPerSecond,
        badPerSecond,
        p50,
        p99,
        cells.load(INTERVAL_MILLIS),
        residences.distribution(),
        intended(rows, stretch, residences.count(), sort),
        ClassTable.of(rows.classNames, residences, stretch.seconds(), unknown, ones, ones));
  }

  /**
   * The findings of the clients. Errors are bad answers and requests that never got one, those of
   * users who waited from before the stretch as well: who hangs asks for nothing more.
   */
  static Findings.Clients findings(ClientSeries series, ServerRequests rows, Stretch stretch) {
    long errors = series.classes().stream().mapToLong(ClassSummary::errors).sum();
    int first = rows.firstArrivalAtOrAfter(stretch.startNanos());
    int end = rows.firstArrivalAtOrAfter(stretch.endNanos());
    int before = 0;
    for (int row = 0; row < end; row++) {
      if (rows.outcome[row] == ServerRequests.UNFINISHED
          && rows.departure[row] >= stretch.startNanos()) {
        errors++;
        before += row < first ? 1 : 0;
      }
    }
    return new Findings.Clients(
        end - first + before,
        errors,
        series.classes().stream().mapToDouble(ClassSummary::perSecond).sum(),
        series.latency().summary(),
        series.intendedLatency().summary(),
        ClientTail.of(latencies(rows, stretch)));
  }

  /** The response times of the answers of a stretch, in order of their sends. */
  private static long[] latencies(ServerRequests rows, Stretch stretch) {
    return IntStream.range(0, rows.size)
        .filter(row -> Residences.isAnsweredIn(rows, row, stretch))
        .mapToLong(row -> rows.departure[row] - rows.arrival[row])
        .toArray();
  }

  private static void count(
      ServerRequests rows, Stretch stretch, int[] good, int[] bad, int[] answers) {
    for (int row = 0; row < rows.size; row++) {
      int interval = interval(rows.departure[row], stretch, good.length);
      if (interval >= 0 && rows.outcome[row] != ServerRequests.UNFINISHED) {
        (rows.outcome[row] < ServerRequests.ERROR ? good : bad)[interval]++;
        answers[interval + 1] += ServerRequests.isCompletion(rows.outcome[row]) ? 1 : 0;
      }
    }
  }

  private static long[] groupByInterval(ServerRequests rows, Stretch stretch, int[] offset) {
    long[] grouped = new long[offset[offset.length - 1]];
    int[] next = offset.clone();
    for (int row = 0; row < rows.size; row++) {
      int interval = interval(rows.departure[row], stretch, offset.length - 1);
      if (interval >= 0 && ServerRequests.isCompletion(rows.outcome[row])) {
        grouped[next[interval]++] = rows.departure[row] - rows.arrival[row];
      }
    }
    return grouped;
  }

  private static int interval(long departure, Stretch stretch, int intervals) {
    long since = departure - stretch.startNanos();
    return since >= 0 && since < intervals * INTERVAL_NANOS ? (int) (since / INTERVAL_NANOS) : -1;
  }

  private static double micros(long[] sorted, int from, int to, double percentile) {
    return from == to ? Double.NaN : Percentiles.ofSorted(sorted, from, to, percentile) / 1e3;
  }

  private static Distribution intended(
      ServerRequests rows, Stretch stretch, int answers, RadixSort sort) {
    long[] nanos = new long[answers];
    int size = 0;
    for (int row = 0; row < rows.size && size < answers; row++) {
      if (Residences.isAnsweredIn(rows, row, stretch)) {
        // A client that sends ahead of its plan has not waited for a negative time.
        nanos[size++] = Math.max(0, rows.departure[row] - rows.intended[row]);
      }
    }
    sort.sort(nanos, 0, size);
    return Distributions.distribution(nanos);
  }
}
