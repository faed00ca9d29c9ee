package org.terrace.scaling.economy;

import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The account of a configuration under a load, all money per hour. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param repeats the trials that were done
 * @param revenuePerHour what successful requests earn
 * @param penaltyPerHour what all others cost
 * @param costPerHour the price of the servers
 * @param profitPerHour revenue less penalty and cost
 * @param low the lower end of the profit's 95 % interval; null where no trial was repeated
 * @param high the upper end
 * @param successPerSecond requests within their threshold, per second
 * @param successShare their share of all requests; 1 where there were none
 * @param doubtfulShare the share of requests in bins of response times that a threshold parts,
 *     which is by how much {@code successShare} can err for it
 */
public record ProfitCell(
    Configuration configuration,
    int users,
    int repeats,
    double revenuePerHour,
    double penaltyPerHour,
    double costPerHour,
    double profitPerHour,
    @Nullable Double low,
    @Nullable Double high,
    double successPerSecond,
    double successShare,
    double doubtfulShare) {

  /** Revenue less penalty, per hour. */
  public double incomePerHour() {
    return revenuePerHour - penaltyPerHour;
  }
}
