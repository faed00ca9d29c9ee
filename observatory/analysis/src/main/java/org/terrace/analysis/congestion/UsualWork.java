package org.terrace.analysis.congestion;

import org.terrace.core.Poisson;

/**
 * The throughput that is usual for a server at a load: in proportion to load up to N*, and level
 * beyond it. Where N* is not known, no load seen was too high, so that a load that is higher than
 * usual without more being answered is a server that takes longer.
 */
final class UsualWork {
  private final double slope;
  private final double knee;

  /** The mean of {@code (count - expected)^2 / expected} where more is done, at least 1. */
  private final double dispersion;

  private UsualWork(double slope, double knee, double dispersion) {
    this.slope = slope;
    this.knee = knee;
    this.dispersion = dispersion;
  }

  static UsualWork of(LoadWindows windows, double slope, double knee) {
    double bend = Double.isNaN(knee) ? Double.POSITIVE_INFINITY : knee;
    return new UsualWork(slope, bend, new UsualWork(slope, bend, 1).dispersionOf(windows));
  }

  private double dispersionOf(LoadWindows windows) {
    double seconds = windows.millis() / 1e3;
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < windows.count(); i++) {
      double expected = at(windows.load()[i]) * seconds;
      double answered = windows.throughput()[i] * seconds;
      // Windows below the usual are what is looked for, and must not excuse themselves.
      if (!windows.excluded()[i] && expected > 0 && answered >= expected) {
        sum += (answered - expected) * (answered - expected) / expected;
        counted++;
      }
    }
    return counted == 0 ? 1 : Math.max(1, sum / counted);
  }

  /** The usual work units a second at a load. */
  double at(double load) {
    return slope * Math.min(load, knee);
  }

  /** The probability of so few answers by chance where so many are expected. */
  double atMost(double answers, double expected) {
    return Poisson.atMost((int) Math.ceil(answers / dispersion), expected / dispersion);
  }
}
