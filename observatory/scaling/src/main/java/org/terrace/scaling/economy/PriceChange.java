package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.terrace.scaling.MeshCell;

/**
 * Prices of which one thing is so many times as much. Immutable.
 *
 * <p>Profit is linear in a price: the lead of a configuration that loses it to another is largest,
 * for the other, at the end of the range. It jumps with a threshold, so more factors are looked at.
 *
 * @param parameter the thing: {@code server-hour normal}, {@code revenue}, {@code penalty}, either
 *     of one class too, {@code thresholds}
 * @param factor the factor on it
 * @param prices the prices after the change
 */
record PriceChange(String parameter, double factor, Prices prices) {
  /** Each price halved and doubled, and all thresholds multiplied by the plan's factors. */
  static List<PriceChange> all(List<MeshCell> cells, Prices prices) {
    TreeSet<String> types = new TreeSet<>();
    cells.forEach(cell -> types.addAll(cell.configuration().nodes().keySet()));
    List<PriceChange> all = new ArrayList<>();
    for (double factor : List.of(1 / PlanJudge.STRONG, PlanJudge.STRONG)) {
      for (String type : types) {
        all.add(
            new PriceChange("server-hour " + type, factor, prices.withServerTimes(type, factor)));
      }
      all.add(of("revenue", factor, prices, terms -> terms.revenueTimes(factor)));
      all.add(of("penalty", factor, prices, terms -> terms.penaltyTimes(factor)));
      List<String> names = prices.termsNames();
      // The only terms are all of them.
      if (names.size() > 1) {
        for (String name : names) {
          Prices revenue = prices.withTermsOf(name, terms -> terms.revenueTimes(factor));
          all.add(new PriceChange("revenue " + name, factor, revenue));
          Prices penalty = prices.withTermsOf(name, terms -> terms.penaltyTimes(factor));
          all.add(new PriceChange("penalty " + name, factor, penalty));
        }
      }
    }
    for (double factor : Plan.THRESHOLD_FACTORS) {
      all.add(of("thresholds", factor, prices, terms -> terms.thresholdTimes(factor)));
    }
    return all;
  }

  private static PriceChange of(
      String parameter, double factor, Prices prices, UnaryOperator<Terms> change) {
    return new PriceChange(parameter, factor, prices.withTerms(change));
  }
}
