package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.ProfitSurface;

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

  /**
   * The mean of the trials of a cell under some prices.
   *
   * @throws IllegalArgumentException if a type of node or a class of requests has no price
   */
  static SearchTrial of(MeshCell cell, Prices prices) {
    ProfitCell priced = ProfitSurface.of(List.of(cell), prices).cells().getFirst();
    return new SearchTrial(
        cell.configuration(),
        cell.users(),
        Arrays.stream(cell.throughputs()).average().orElse(0),
        priced.profitPerHour(),
        priced.successShare(),
        busy(cell));
  }

  /** The use of each tier's busiest kind of hardware, in the mean of its nodes. */
  private static Map<String, Double> busy(MeshCell cell) {
    Map<String, Map<String, List<Double>>> means = new TreeMap<>();
    for (Utilisation series : cell.utilisation()) {
      if (series.isHardware() && series.size() > 0) {
        means
            .computeIfAbsent(series.tier(), _ -> new TreeMap<>())
            .computeIfAbsent(series.resource(), _ -> new ArrayList<>())
            .add(series.mean());
      }
    }
    Map<String, Double> busy = new TreeMap<>();
    means.forEach((tier, resources) ->
        resources
            .values()
            .forEach(nodes ->
                busy.merge(
                    tier,
                    nodes.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                    Math::max)));
    return busy;
  }
}
