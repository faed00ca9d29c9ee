package org.terrace.scaling.search;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.FoundLoad.Verdict;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedShares.Counted;

/**
 * A service level agreement: the response time that a share of the requests is to keep. Immutable.
 *
 * @param withinMillis the response time up to which a request is successful, above 0
 * @param share the share of all requests that has to be successful, above 0 and at most 1
 */
public record Agreement(double withinMillis, double share) {
  private static final double MICROS = 1_000;

  /** Checks the figures. */
  public Agreement {
    if (!(withinMillis > 0 && Double.isFinite(withinMillis)) || !(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("an agreement has a time above 0 and a share up to 1");
    }
  }

  /** The requests of a trial that keep the response time, of all. */
  Counted counted(MeshTrial trial) {
    double good = 0;
    double all = 0;
    for (ClassOutcome outcome : trial.classes()) {
      good += outcome.latency().atMost(MICROS * withinMillis);
      all += outcome.count();
    }
    return new Counted(Math.min(good, all), all);
  }

  /**
   * The verdict on a load. An interval that ends at the share keeps it. A share of 1 is beyond
   * every interval: what was counted decides.
   */
  Verdict verdict(Interval share) {
    if (this.share == 1) {
      return share.estimate() == 1 ? Verdict.KEPT : Verdict.BROKEN;
    }
    if (share.low() >= this.share) {
      return Verdict.KEPT;
    }
    return share.high() < this.share ? Verdict.BROKEN : Verdict.UNCERTAIN;
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
