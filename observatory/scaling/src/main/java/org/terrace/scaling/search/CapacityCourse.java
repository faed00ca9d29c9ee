package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.FoundLoad.Verdict;
import org.terrace.scaling.economy.ProfitSurface;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedShares;
import org.terrace.scaling.repeats.RepeatedShares.Counted;

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

  /** The most users of each configuration as far as its trials show, at some costs an hour. */
  List<FoundCapacity> found(SearchState state, ToDoubleFunction<Configuration> costPerHour) {
    List<List<Counted>> cells = new ArrayList<>();
    for (SearchState configuration : state.byConfiguration().values()) {
      for (SearchState load : configuration.byLoad().values()) {
        cells.add(counted(load));
      }
    }
    RepeatedShares shares = RepeatedShares.of(cells);
    List<FoundCapacity> found = new ArrayList<>();
    state
        .byConfiguration()
        .forEach((configuration, mine) ->
            found.add(
                found(configuration, mine, costPerHour.applyAsDouble(configuration), shares)));
    return found;
  }

  private List<Counted> counted(SearchState load) {
    return load.done().stream().map(agreement::counted).toList();
  }

  /**
   * The choice of loads goes by what was measured; what is found, by its intervals: the two agree
   * unless an interval holds the share that was agreed on, or a trial failed. Where they do not,
   * loads may be left between those that are told, and what is found is not certain.
   */
  private FoundCapacity found(
      Configuration configuration, SearchState mine, double costPerHour, RepeatedShares shares) {
    List<FoundLoad> loads = new ArrayList<>();
    mine.byLoad()
        .forEach((users, load) -> {
          if (load.left().isEmpty()) {
            loads.add(found(users, load, shares));
          }
        });
    Optional<FoundLoad> broken =
        loads.stream()
            .filter(
                each -> each.verdict() == Verdict.BROKEN || each.verdict() == Verdict.UNMEASURED)
            .findFirst();
    int least = broken.map(FoundLoad::users).orElse(Integer.MAX_VALUE);
    Integer most =
        loads.stream()
            .filter(each -> each.verdict() == Verdict.KEPT && each.users() < least)
            .map(FoundLoad::users)
            .reduce((_, last) -> last)
            .orElse(null);
    return new FoundCapacity(
        configuration,
        costPerHour,
        most,
        broken.map(FoundLoad::users).orElse(null),
        broken.filter(each -> each.verdict() == Verdict.UNMEASURED).isPresent(),
        search(configuration, mine).next(measured(mine)).isEmpty() && allTried(mine, most, least),
        mine.endedCount(),
        loads);
  }

  /** Whether all loads between two have been tried; the lower one is null where none kept. */
  private static boolean allTried(SearchState mine, @Nullable Integer above, int below) {
    return mine
        .byLoad()
        .headMap(below, false)
        .tailMap(above == null ? 0 : above, false)
        .values()
        .stream()
        .allMatch(load -> load.left().isEmpty());
  }

  /**
   * The finding under a load. Its trials that were done may be those that it survived: where one
   * failed, it does not keep the agreement surely, and may yet break it.
   */
  private FoundLoad found(int users, SearchState load, RepeatedShares shares) {
    List<Counted> counted = counted(load);
    if (counted.isEmpty()) {
      return FoundLoad.unmeasured(users, load.failedCount());
    }
    Interval share = shares.interval(counted, ProfitSurface.CONFIDENCE);
    Verdict verdict = agreement.verdict(share);
    return new FoundLoad(
        users,
        verdict == Verdict.KEPT && load.failedCount() > 0 ? Verdict.UNCERTAIN : verdict,
        counted.size(),
        load.failedCount(),
        Math.round(Counted.sum(counted).all()),
        share.estimate(),
        share.low(),
        share.high());
  }

  private BisectionSearch search(Configuration configuration, SearchState mine) {
    return new BisectionSearch(
        configuration, List.copyOf(mine.byLoad().navigableKeySet()), agreement.share());
  }

  /** The loads whose repeats have all ended. One of which a trial failed counts as broken. */
  private List<SearchTrial> measured(SearchState mine) {
    List<SearchTrial> measured = new ArrayList<>();
    mine.byLoad()
        .forEach((users, load) -> {
          if (load.left().isEmpty()) {
            Configuration configuration = load.candidates().getFirst().configuration();
            List<MeshTrial> done = load.done();
            measured.add(
                done.isEmpty() || load.failedCount() > 0
                    ? new SearchTrial(configuration, users, 0, 0, 0, Map.of())
                    : SearchTrial.of(load.cell(), agreement.asPrices(configuration)));
          }
        });
    return measured;
  }
}
