package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.CountedCells;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.ProfitSurface;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;

/**
 * The course of a mesh: which trial is next after those that have ended, and what they say. A pure
 * function of them in any order, so that an interrupted course goes on where it was, and never asks
 * for a trial that has ended. Immutable.
 *
 * @param rules how trials are chosen
 * @param candidates all trials of the mesh, at least one, in the order in which they are run if all
 *     are; those of one load have the same offered requests
 */
public record SearchCourse(SearchRules rules, List<SearchCandidate> candidates) {
  /** Copies the list. */
  public SearchCourse {
    candidates = List.copyOf(candidates);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("a search has a trial to choose");
    }
  }

  /**
   * The trial to run next; none when the search has ended. Trials that were skipped do not count.
   */
  public Optional<SearchChoice> next(Collection<MeshTrial> trials) {
    SearchState state = SearchState.of(candidates, trials);
    return switch (rules.method()) {
      case FULL -> state.left().stream().findFirst().map(each -> new SearchChoice(each, ""));
      case GUIDED, IMPROVEMENT, RANDOM -> profit().next(state);
      case BISECTION -> capacity().next(state);
    };
  }

  /** The most trials that may follow, whatever comes of them. */
  public int mostLeft(Collection<MeshTrial> trials) {
    SearchState state = SearchState.of(candidates, trials);
    return switch (rules.method()) {
      case FULL -> state.left().size();
      case GUIDED, IMPROVEMENT, RANDOM -> profit().mostLeft(state);
      case BISECTION -> capacity().mostLeft(state);
    };
  }

  private ProfitCourse profit() {
    return new ProfitCourse(rules, required(rules.prices()));
  }

  private CapacityCourse capacity() {
    return new CapacityCourse(required(rules.agreement()));
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("the rules were checked when they were made");
    }
    return value;
  }

  /** The answer of the trials; empty if nothing was asked of the mesh. */
  public Optional<SearchAnswer> answer(Collection<MeshTrial> trials) {
    return answer(trials, trials);
  }

  /**
   * The answer of the trials that count in a round; empty if nothing was asked of the mesh.
   *
   * @param trials those that count
   * @param known those, and the ones that failed in earlier rounds and were not run again: of no
   *     profit beside them is it told that it is less beyond chance
   */
  public Optional<SearchAnswer> answer(Collection<MeshTrial> trials, Collection<MeshTrial> known) {
    if (!rules.asks()) {
      return Optional.empty();
    }
    SearchState state = SearchState.of(candidates, trials);
    SearchState all = SearchState.of(candidates, known);
    Prices prices = rules.prices();
    boolean bisects = rules.method() == SearchMethod.BISECTION;
    return Optional.of(
        new SearchAnswer(
            rules.method(),
            next(trials).isEmpty(),
            candidates.size(),
            state.endedCount(),
            state.failedCount(),
            prices == null ? SearchAnswer.SERVERS : prices.currency(),
            prices == null || bisects ? List.of() : best(all, prices),
            bisects ? List.of() : unmeasured(all),
            bisects ? capacities(state, prices) : List.of()));
  }

  private static List<FoundBest> best(SearchState state, Prices prices) {
    List<MeshCell> cells = new ArrayList<>();
    List<LostCell> lost = new ArrayList<>();
    state
        .byConfiguration()
        .forEach((configuration, mine) ->
            mine.byLoad()
                .forEach((users, load) -> {
                  if (!load.done().isEmpty()) {
                    cells.add(load.cell());
                  } else if (load.failedCount() > 0) {
                    lost.add(new LostCell(configuration, users, load.failed()));
                  }
                }));
    CountedCells counted = CountedCells.of(cells, lost);
    return counted.cells().isEmpty()
        ? List.of()
        : LoadChoice.of(ProfitSurface.of(counted.cells(), prices), counted.lost()).stream()
            .map(SearchCourse::best)
            .toList();
  }

  private static List<Integer> unmeasured(SearchState state) {
    List<Integer> unmeasured = new ArrayList<>();
    state
        .byLoad()
        .forEach((users, load) -> {
          boolean known =
              load.byConfiguration().values().stream()
                  .anyMatch(each -> !each.done().isEmpty() && !each.cell().mostlyFailed());
          if (load.endedCount() > 0 && !known) {
            unmeasured.add(users);
          }
        });
    return unmeasured;
  }

  private static FoundBest best(LoadChoice choice) {
    ProfitCell best = choice.best();
    return new FoundBest(
        choice.users(),
        best.configuration(),
        best.repeats(),
        best.profitPerHour(),
        best.low(),
        best.high(),
        1 + choice.rivals().size() + choice.lost().size(),
        choice.ties().stream().map(rival -> rival.cell().configuration()).toList(),
        best.failed().count(),
        choice.failing());
  }

  private List<FoundCapacity> capacities(SearchState state, @Nullable Prices prices) {
    return capacity()
        .found(
            state,
            configuration ->
                prices == null
                    ? configuration.counts().stream().mapToInt(Integer::intValue).sum()
                    : prices.costPerHour(configuration));
  }
}
