package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.FoundCapacity;

/**
 * The choice of trials that looks for the most users of each configuration under an agreement. The
 * configurations take turns, so that what changes on the machine meanwhile meets all alike.
 * Immutable.
 *
 * @param agreement what a load has to keep
 */
record CapacityCourse(Agreement agreement) {
  Optional<SearchChoice> next(SearchState state) {
    Optional<SearchChoice> chosen = Optional.empty();
    int fewest = Integer.MAX_VALUE;
    for (Map.Entry<Configuration, SearchState> each : state.byConfiguration().entrySet()) {
      SearchState mine = each.getValue();
      Optional<SearchChoice> choice =
          mine.endedCount() < fewest ? next(each.getKey(), mine) : Optional.empty();
      if (choice.isPresent()) {
        chosen = choice;
        fewest = mine.endedCount();
      }
    }
    return chosen;
  }

  private Optional<SearchChoice> next(Configuration configuration, SearchState mine) {
    return search(configuration, mine)
        .next(measured(mine))
        .flatMap(step ->
            mine.left().stream()
                .filter(candidate -> candidate.users() == step.users())
                .findFirst()
                .map(candidate -> new SearchChoice(candidate, step.reason())));
  }

  /** The most trials that may follow, whatever comes of them. */
  int mostLeft(SearchState state) {
    int most = 0;
    for (Map.Entry<Configuration, SearchState> each : state.byConfiguration().entrySet()) {
      SearchState mine = each.getValue();
      int repeats =
          mine.byLoad().values().stream()
              .mapToInt(load -> load.candidates().size())
              .max()
              .orElse(1);
      int loads = search(each.getKey(), mine).mostLeft(measured(mine));
      int begun =
          next(each.getKey(), mine)
              .map(choice -> choice.candidate().users())
              .map(users -> mine.under(users).endedCount())
              .orElse(0);
      most += Math.min(loads * repeats - begun, mine.left().size());
    }
    return most;
  }

  /** The most users of a configuration as far as its trials show. */
  FoundCapacity found(Configuration configuration, SearchState mine, double costPerHour) {
    BisectionSearch search = search(configuration, mine);
    List<SearchTrial> measured = measured(mine);
    Optional<Integer> broken = search.leastBroken(measured);
    boolean unmeasured = broken.isPresent() && mine.under(broken.get()).done().isEmpty();
    return new FoundCapacity(
        configuration,
        costPerHour,
        search.most(measured).orElse(null),
        broken.orElse(null),
        unmeasured,
        search.next(measured).isEmpty(),
        mine.endedCount());
  }

  private BisectionSearch search(Configuration configuration, SearchState mine) {
    return new BisectionSearch(
        configuration, List.copyOf(mine.byLoad().navigableKeySet()), agreement.share());
  }

  /** The loads whose repeats have all ended. One that no trial could measure counts as broken. */
  private List<SearchTrial> measured(SearchState mine) {
    List<SearchTrial> measured = new ArrayList<>();
    mine.byLoad()
        .forEach((users, load) -> {
          if (load.left().isEmpty()) {
            Configuration configuration = load.candidates().getFirst().configuration();
            List<MeshTrial> done = load.done();
            measured.add(
                done.isEmpty()
                    ? new SearchTrial(configuration, users, 0, 0, 0, Map.of())
                    : SearchTrial.of(load.cell(), agreement.asPrices(configuration)));
          }
        });
    return measured;
  }
}
