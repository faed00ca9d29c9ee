package org.terrace.scaling.search;

import java.util.Map;
import org.terrace.scaling.Configuration;

/**
 * A trial that was done, with all that a search has to know of it. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the load
 * @param throughputPerSecond requests answered without an error, per second
 * @param profitPerHour what it earned
 * @param successShare the share of requests within their threshold
 * @param busy the mean share in use of each tier's busiest hardware, by tier; tiers without samples
 *     are left out
 */
public record SearchTrial(
    Configuration configuration,
    int users,
    double throughputPerSecond,
    double profitPerHour,
    double successShare,
    Map<String, Double> busy) {
  /** Copies the map. */
  public SearchTrial {
    busy = Map.copyOf(busy);
  }
}
