package org.terrace.analysis;

/**
 * Tells a stall from a queue behind slow requests: a server that handles few requests at a time is
 * silent, with others waiting, for as long as all it handles happen to be long.
 *
 * <p>The model: {@code m} requests are served at a time, as seen by {@link Parallelism}; each
 * class's service time is Erlang-distributed with the mean and variation seen at low load outside
 * of suspected stalls. The expected number of silences of at least {@code g} is the number of
 * requests whose service lasts that long, times the probability that each of the other {@code m -
 * 1} services still lasts that long at a random moment of it.
 *
 * <p>On a saturated server that serves one or two requests at a time, a long service and a pause
 * look the same from outside; there this model only makes false alarms rarer.
 */
final class Blocking {
  private static final int MOST_STAGES = 50;
  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final long STEP_NANOS = 100_000L;

  /** Long services are suspects themselves and so left out; this makes up for the tail they cut. */
  private static final double TAIL = 1.25;

  private final WorkUnits units;
  private final Residences residences;
  private final int parallel;

  /**
   * A model of a server.
   *
   * @param parallel the requests it handles at a time
   */
  Blocking(WorkUnits units, Residences residences, int parallel) {
    this.units = units;
    this.residences = residences;
    this.parallel = parallel;
  }

  /** The shortest silence of which slow requests alone would cause no more than so many. */
  long shortest(double silences) {
    long low = 0;
    long high = LONGEST_NANOS;
    while (high - low > STEP_NANOS) {
      long middle = low + (high - low) / 2;
      if (expectedSilences(middle) > silences) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** The silences of at least this length that slow requests alone would cause. */
  double expectedSilences(long gapNanos) {
    double longer = 0;
    double remaining = 0;
    double work = 0;
    for (int i = 0; i < units.serviceNanos.length; i++) {
      double mean = units.serviceNanos[i];
      if (Double.isNaN(mean)) {
        continue;
      }
      double variation = units.classVariation[i];
      int stages = Math.clamp(Math.round(1 / Math.max(variation, 1e-6)), 1, MOST_STAGES);
      // Beyond an exponential's variation, the mean that remains to a random moment.
      double stage = TAIL * (variation > 1 ? mean * (1 + variation) / 2 : mean / stages);
      double count = residences.count(i);
      double survival = Math.exp(-gapNanos / stage);
      double term = survival;
      double integral = survival;
      for (int j = 1; j < stages; j++) {
        term *= gapNanos / stage / j;
        survival += term;
        integral += survival;
      }
      longer += count * survival;
      remaining += count * integral * stage;
      work += count * mean;
    }
    return work == 0 ? 0 : longer * Math.pow(Math.min(1, remaining / work), parallel - 1);
  }
}
