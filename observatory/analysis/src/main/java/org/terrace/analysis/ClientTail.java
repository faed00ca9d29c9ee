package org.terrace.analysis;

import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.TailFindings;
import org.terrace.analysis.tail.ParetoTail;
import org.terrace.analysis.tail.PercentileInterval;
import org.terrace.analysis.tail.TailSummary;

/** The tail of what the clients saw, as findings. Stateless. */
final class ClientTail {
  private static final double NANOS_PER_MICRO = 1e3;

  /** The same requests give the same interval whenever they are analysed. */
  private static final long SEED = 20_051_115;

  private ClientTail() {}

  /** The tail of response times in order of their sends; null when there are none. */
  static @Nullable TailFindings of(long[] inOrder) {
    if (inOrder.length == 0) {
      return null;
    }
    TailSummary tail = TailSummary.of(inOrder, SEED);
    return new TailFindings(
        inOrder.length,
        tail.sigmaOutliers().share(),
        tail.medianOutliers().share(),
        tail.maxZ(),
        tail.maxZCeiling(),
        tail.p99Z(),
        tail.p99ZCeiling(),
        percentile(tail),
        shape(tail.tail()),
        tail.p99OverMean(),
        tail.maxOverP50(),
        tail.p999OverP50());
  }

  private static TailFindings.Percentile percentile(TailSummary tail) {
    PercentileInterval exact = tail.p99();
    double low = tail.p99Blocks().low();
    double high = tail.p99Blocks().high();
    return new TailFindings.Percentile(
        exact.valueNanos() / NANOS_PER_MICRO,
        low > 0 ? low / NANOS_PER_MICRO : null,
        Double.isFinite(high) ? high / NANOS_PER_MICRO : null,
        micros(exact.lowNanos()),
        micros(exact.highNanos()),
        exact.confidence(),
        tail.p99Blocks().blockLength(),
        exact.describe());
  }

  private static @Nullable Double micros(@Nullable Long nanos) {
    return nanos == null ? null : (Double) (nanos / NANOS_PER_MICRO);
  }

  private static TailFindings.@Nullable Shape shape(@Nullable ParetoTail tail) {
    return tail == null
        ? null
        : new TailFindings.Shape(
            tail.shape(),
            tail.shapeLow(),
            tail.shapeHigh(),
            tail.thresholdPercentile(),
            tail.exceedances(),
            tail.verdict());
  }
}
