package org.terrace.scaling.search;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * A service level agreement: the response time that a share of the requests is to keep. Immutable.
 *
 * @param withinMillis the response time up to which a request is successful, above 0
 * @param share the share of all requests that has to be successful, above 0 and at most 1
 */
public record Agreement(double withinMillis, double share) {
  /** Checks the figures. */
  public Agreement {
    if (!(withinMillis > 0 && Double.isFinite(withinMillis)) || !(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("an agreement has a time above 0 and a share up to 1");
    }
  }

  /** Prices of nothing, under which a request succeeds as the agreement says. */
  Prices asPrices(Configuration configuration) {
    return new Prices(
        "", free(configuration), Map.of(), new Terms(withinMillis, 0, 0), List.of(), 0);
  }

  private static Map<String, Double> free(Configuration configuration) {
    Map<String, Double> prices = new TreeMap<>();
    configuration.nodes().keySet().forEach(type -> prices.put(type, 0.0));
    return prices;
  }
}
