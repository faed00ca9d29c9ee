package org.terrace.scaling.economy;

import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The most users under which a configuration keeps an agreement, as far as it is known. Immutable.
 *
 * @param configuration the servers and settings
 * @param costPerHour the price of the servers, or their number where they have no price
 * @param mostUsers the greatest load that kept the agreement, below all that did not; null if none
 *     did
 * @param brokenUsers the least load that did not keep it; null if each did
 * @param unmeasured whether that load only counts as broken because all trials of it failed
 * @param certain whether no load lies between the two that could still be tried
 * @param trials the trials that ended
 */
public record FoundCapacity(
    Configuration configuration,
    double costPerHour,
    @Nullable Integer mostUsers,
    @Nullable Integer brokenUsers,
    boolean unmeasured,
    boolean certain,
    int trials) {
  /** Whether it keeps the agreement under a load. */
  boolean carries(int users) {
    return mostUsers != null && mostUsers >= users;
  }
}
