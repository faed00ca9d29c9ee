package org.terrace.scaling.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.scaling.Configuration;

/**
 * The mean of what the trials of one configuration earned. Immutable.
 *
 * @param perHour the mean profit
 * @param trials the number of trials, 1 or more
 */
record MeanProfit(double perHour, int trials) {
  /** The means by configuration, in the order of their first trials. */
  static Map<Configuration, MeanProfit> of(List<SearchTrial> trials) {
    Map<Configuration, MeanProfit> means = new LinkedHashMap<>();
    for (SearchTrial trial : trials) {
      means.merge(
          trial.configuration(), new MeanProfit(trial.profitPerHour(), 1), MeanProfit::with);
    }
    return means;
  }

  private MeanProfit with(MeanProfit other) {
    int both = trials + other.trials;
    return new MeanProfit((perHour * trials + other.perHour * other.trials) / both, both);
  }
}
