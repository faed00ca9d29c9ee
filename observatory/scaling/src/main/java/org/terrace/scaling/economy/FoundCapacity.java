package org.terrace.scaling.economy;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The most users under which a configuration keeps an agreement, as far as it is known. Immutable.
 *
 * @param configuration the servers and settings
 * @param costPerHour the price of the servers, or their number where they have no price
 * @param mostUsers the greatest load that certainly kept the agreement, below all that did not;
 *     null if none did
 * @param brokenUsers the least load that certainly did not keep it, or that no trial could measure;
 *     null if there was none
 * @param unmeasured whether that load only counts as broken because all trials of it failed
 * @param certain whether all loads between the two have been tried, and the search has ended
 * @param trials the trials that ended, under all loads
 * @param loads the loads whose trials have ended, rising
 */
public record FoundCapacity(
    Configuration configuration,
    double costPerHour,
    @Nullable Integer mostUsers,
    @Nullable Integer brokenUsers,
    boolean unmeasured,
    boolean certain,
    int trials,
    List<FoundLoad> loads) {
  /** Copies the list. */
  public FoundCapacity {
    loads = List.copyOf(loads);
  }

  /** The loads between the two of which it cannot be told whether they kept the agreement. */
  public List<FoundLoad> uncertain() {
    return loads.stream()
        .filter(each -> each.verdict() == FoundLoad.Verdict.UNCERTAIN)
        .filter(each -> mostUsers == null || each.users() > mostUsers)
        .filter(each -> brokenUsers == null || each.users() < brokenUsers)
        .toList();
  }

  /** The finding under a load; empty if its trials have not ended. */
  public Optional<FoundLoad> load(int users) {
    return loads.stream().filter(each -> each.users() == users).findFirst();
  }

  /** Whether it keeps the agreement under a load. */
  boolean carries(int users) {
    return mostUsers != null && mostUsers >= users;
  }
}
