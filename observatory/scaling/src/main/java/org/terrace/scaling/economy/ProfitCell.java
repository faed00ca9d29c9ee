package org.terrace.scaling.economy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;

/**
 * The account of a configuration under a load, all money per hour. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param repeats the trials that were done
 * @param failed those that failed, of which nothing is known
 * @param revenuePerHour what successful requests earn
 * @param penaltyPerHour what all others cost
 * @param costPerHour the price of the servers
 * @param profitPerHour revenue less penalty and cost
 * @param low the lower end of the profit's 95 % interval; null where no trial like it was repeated
 * @param high the upper end
 * @param successPerSecond requests within their threshold, per second
 * @param successShare their share of all requests; 1 where there were none
 * @param doubtfulShare the share of requests in bins of response times that a threshold parts,
 *     which is by how much {@code successShare} can err for it
 * @param incomes the parts of revenue and penalty by the terms that they follow from: those of a
 *     class by its name, and {@link Prices#OTHERS}
 */
public record ProfitCell(
    Configuration configuration,
    int users,
    int repeats,
    FailedTrials failed,
    double revenuePerHour,
    double penaltyPerHour,
    double costPerHour,
    double profitPerHour,
    @Nullable Double low,
    @Nullable Double high,
    double successPerSecond,
    double successShare,
    double doubtfulShare,
    Map<String, Income> incomes) {
  /** Copies the map in its order. */
  public ProfitCell {
    incomes = Collections.unmodifiableMap(new LinkedHashMap<>(incomes));
  }

  /**
   * The money that requests under the same terms bring and cost, per hour.
   *
   * @param revenuePerHour what the successful ones earn
   * @param penaltyPerHour what all others cost
   */
  public record Income(double revenuePerHour, double penaltyPerHour) {
    /** An income of nothing. */
    public static final Income NONE = new Income(0, 0);

    /** The sum of both, the other so many times. */
    Income plus(Income other, double times) {
      return new Income(
          revenuePerHour + times * other.revenuePerHour,
          penaltyPerHour + times * other.penaltyPerHour);
    }
  }

  /** The workload that it was measured under. */
  public Workload workload() {
    return Workload.of(configuration, users);
  }

  /** The income under some terms; nothing where no request was under them. */
  public Income income(String terms) {
    return incomes.getOrDefault(terms, Income.NONE);
  }

  /** Revenue less penalty, per hour. */
  public double incomePerHour() {
    return revenuePerHour - penaltyPerHour;
  }
}
