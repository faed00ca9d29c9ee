package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.SearchMethod;

/**
 * The choice of trials that looks for the configuration that earns most, under one load after the
 * other. The guided search sees each trial by itself, and asks for a repeat where it is worth one;
 * the others see the mean of a configuration's repeats once all have ended. Immutable.
 *
 * @param rules the rules
 * @param prices what servers cost and requests earn
 */
record ProfitCourse(SearchRules rules, Prices prices) {
  private static final double HOUR = 3_600;

  Optional<SearchChoice> next(SearchState state) {
    for (SearchState load : state.byLoad().values()) {
      Optional<SearchChoice> choice = nextUnder(load);
      if (choice.isPresent()) {
        return choice;
      }
    }
    return Optional.empty();
  }

  /** The most trials that may follow, whatever comes of them. */
  int mostLeft(SearchState state) {
    int most = 0;
    for (SearchState load : state.byLoad().values()) {
      most += mostLeftUnder(load);
    }
    return most;
  }

  private int mostLeftUnder(SearchState load) {
    Optional<SearchChoice> next = nextUnder(load);
    if (next.isEmpty()) {
      return 0;
    }
    int most = budget(load) - measured(load).size();
    if (!repeatsByChoice()) {
      Configuration chosen = next.get().candidate().configuration();
      most = most * repeats(load) - load.of(chosen).endedCount();
    }
    return Math.min(most, load.left().size());
  }

  private Optional<SearchChoice> nextUnder(SearchState load) {
    int budget = budget(load);
    if (budget < 1) {
      return Optional.empty();
    }
    SearchSpace space = space(load);
    SearchStrategy strategy =
        switch (rules.method()) {
          case GUIDED -> new GuidedSearch(space, budget);
          case IMPROVEMENT -> new ImprovementSearch(space, budget);
          case RANDOM -> new RandomSearch(space, budget, rules.seed());
          case FULL, BISECTION ->
              throw new IllegalStateException(rules.method() + " looks for no profit");
        };
    return strategy
        .next(measured(load))
        .flatMap(step ->
            load.left().stream()
                .filter(each -> each.configuration().equals(step.configuration()))
                .findFirst()
                .map(candidate -> new SearchChoice(candidate, step.reason())));
  }

  private boolean repeatsByChoice() {
    return rules.method() == SearchMethod.GUIDED;
  }

  /**
   * The most that the strategy may see measured, trials or configurations with their repeats: those
   * that failed were paid for, and are not seen.
   */
  private int budget(SearchState load) {
    if (repeatsByChoice()) {
      return rules.mostTrials() - load.failedCount();
    }
    long lost =
        load.byConfiguration().values().stream()
            .filter(each -> each.left().isEmpty() && each.done().isEmpty())
            .count();
    return Math.max(1, rules.mostTrials() / repeats(load)) - Math.toIntExact(lost);
  }

  private static int repeats(SearchState load) {
    return load.byConfiguration().values().stream()
        .mapToInt(each -> each.candidates().size())
        .max()
        .orElse(1);
  }

  private List<SearchTrial> measured(SearchState load) {
    List<SearchTrial> measured = new ArrayList<>();
    for (SearchState each : load.byConfiguration().values()) {
      List<MeshTrial> done = each.done();
      if (repeatsByChoice()) {
        for (MeshTrial trial : done) {
          MeshCell cell =
              new MeshCell(trial.configuration(), trial.users(), List.of(trial), FailedTrials.NONE);
          measured.add(SearchTrial.of(cell, prices));
        }
      } else if (each.left().isEmpty() && !done.isEmpty()) {
        measured.add(SearchTrial.of(each.cell(), prices));
      }
    }
    return measured;
  }

  private SearchSpace space(SearchState load) {
    Map<Configuration, SearchState> configurations = load.byConfiguration();
    Set<Configuration> exhausted = new HashSet<>();
    Set<Configuration> failed = new HashSet<>();
    configurations.forEach((configuration, each) -> {
      if (each.left().isEmpty()) {
        exhausted.add(configuration);
      }
      if (each.failedCount() > 0 && each.done().isEmpty()) {
        failed.add(configuration);
      }
    });
    SearchCandidate first = load.candidates().getFirst();
    return new SearchSpace(
        List.copyOf(configurations.keySet()),
        first.users(),
        first.offeredPerSecond(),
        HOUR * first.offeredPerSecond() * revenueOfRequest(load.done()),
        prices,
        exhausted,
        failed);
  }

  /**
   * The mean revenue of a successful request, by the share that each class has in the trials so
   * far.
   */
  private double revenueOfRequest(List<MeshTrial> done) {
    double revenue = 0;
    long count = 0;
    for (MeshTrial trial : done) {
      for (ClassOutcome outcome : trial.classes()) {
        revenue += prices.terms(outcome.name()).revenue() * outcome.count();
        count += outcome.count();
      }
    }
    return count == 0 ? 0 : revenue / count;
  }
}
