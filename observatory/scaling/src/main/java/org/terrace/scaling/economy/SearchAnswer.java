package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The answer of a search, and what it took. Immutable.
 *
 * @param method how trials were chosen
 * @param complete whether the search has ended; else more trials may change the answer
 * @param trials the trials of the whole mesh
 * @param ended those that were run
 * @param failed those of them that failed
 * @param currency the currency of the amounts; {@value #SERVERS} where servers have no price
 * @param best the configuration that earned most, by load; empty if no profit was asked for
 * @param unmeasured the loads, rising, of which no profit is known since all trials that were run
 *     failed; empty if no profit was asked for
 * @param capacities the most users of each configuration; empty if no agreement was asked for
 */
public record SearchAnswer(
    SearchMethod method,
    boolean complete,
    int trials,
    int ended,
    int failed,
    String currency,
    List<FoundBest> best,
    List<Integer> unmeasured,
    List<FoundCapacity> capacities) {
  /** The unit of costs where servers have no price. */
  public static final String SERVERS = "servers";

  /** Copies the lists. */
  public SearchAnswer {
    best = List.copyOf(best);
    unmeasured = List.copyOf(unmeasured);
    capacities = List.copyOf(capacities);
  }

  /** The trials of the whole mesh that were not run. */
  public int saved() {
    return trials - ended;
  }

  /**
   * A stretch of loads and what carries it.
   *
   * @param mostUsers the greatest load of the stretch, which begins above that of the one before
   * @param carrier the cheapest configuration that keeps the agreement there
   */
  public record Cheapest(int mostUsers, FoundCapacity carrier) {}

  /** The cheapest configuration that carries each load, from the least to the greatest. */
  public List<Cheapest> cheapest() {
    NavigableSet<Integer> loads = new TreeSet<>();
    for (FoundCapacity each : capacities) {
      Optional.ofNullable(each.mostUsers()).ifPresent(loads::add);
    }
    List<Cheapest> stretches = new ArrayList<>();
    for (int users : loads) {
      FoundCapacity cheapest =
          capacities.stream()
              .filter(each -> each.carries(users))
              .min(Comparator.comparingDouble(FoundCapacity::costPerHour))
              .orElseThrow();
      if (!stretches.isEmpty()
          && stretches.getLast().carrier().configuration().equals(cheapest.configuration())) {
        stretches.removeLast();
      }
      stretches.add(new Cheapest(users, cheapest));
    }
    return List.copyOf(stretches);
  }
}
