package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The range in which one price may move before another configuration earns most under a load.
 * Immutable.
 *
 * <p>Profit is linear in each price, so the factors are exact for the mean profits; a threshold is
 * not among them, since profit jumps with it: see {@link ThresholdChange}.
 *
 * @param parameter the price: {@code server-hour normal}; {@code revenue StoreStory} and {@code
 *     penalty others}, of the requests under these terms; {@code revenue} and {@code penalty}, all
 *     of them together
 * @param lowFactor the least factor on it that leaves the best configuration the best, 0 or more
 * @param below the configuration that takes over below that; null where none does
 * @param highFactor the greatest such factor; infinite where none takes over
 * @param above the configuration that takes over above that; null where none does
 */
public record Sensitivity(
    String parameter,
    double lowFactor,
    @Nullable Configuration below,
    double highFactor,
    @Nullable Configuration above) {

  /**
   * The best configuration at a load were all thresholds multiplied.
   *
   * @param factor the factor on all thresholds
   * @param best the configuration that then earns most
   * @param profitPerHour what it then earns
   */
  public record ThresholdChange(double factor, Configuration best, double profitPerHour) {}

  /** The sensitivity of a choice to every price. */
  static List<Sensitivity> of(LoadChoice choice, Prices prices) {
    List<Sensitivity> all = new ArrayList<>();
    TreeSet<String> types = new TreeSet<>(choice.best().configuration().nodes().keySet());
    choice.rivals().forEach(rival -> types.addAll(rival.cell().configuration().nodes().keySet()));
    for (String type : types) {
      double price = prices.serverHour().getOrDefault(type, 0.0);
      all.add(
          of(
              choice,
              "server-hour " + type,
              cell -> -price * cell.configuration().nodes().getOrDefault(type, 0)));
    }
    all.add(of(choice, "revenue", ProfitCell::revenuePerHour));
    all.add(of(choice, "penalty", cell -> -cell.penaltyPerHour()));
    List<String> names = prices.termsNames();
    // The only terms are all of them.
    if (names.size() > 1) {
      for (String name : names) {
        all.add(of(choice, "revenue " + name, cell -> cell.income(name).revenuePerHour()));
        all.add(of(choice, "penalty " + name, cell -> -cell.income(name).penaltyPerHour()));
      }
    }
    return all;
  }

  private static Sensitivity of(
      LoadChoice choice, String parameter, ToDoubleFunction<ProfitCell> part) {
    ProfitCell best = choice.best();
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    Configuration below = null;
    Configuration above = null;
    for (LoadChoice.Rival rival : choice.rivals()) {
      // The best leads by behind + (factor - 1) × slope, which is above 0 at a factor of 1.
      double slope = part.applyAsDouble(best) - part.applyAsDouble(rival.cell());
      double factor = slope == 0 ? Double.NaN : 1 - rival.behindPerHour() / slope;
      if (slope > 0 && factor > low) {
        low = factor;
        below = rival.cell().configuration();
      } else if (slope < 0 && factor < high) {
        high = factor;
        above = rival.cell().configuration();
      }
    }
    return new Sensitivity(parameter, low, below, high, above);
  }
}
