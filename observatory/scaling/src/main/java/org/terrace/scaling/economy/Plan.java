package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;

/**
 * The economics of a mesh at some prices: which configuration earns most under which load, how
 * surely, and what would change it. Immutable.
 *
 * @param prices the prices
 * @param cells the profit of each configuration under each load
 * @param lost the configurations under loads of which most trials failed, so that nothing is known
 * @param choices the best configuration at each load, by load
 * @param sensitivities for each load, how far each price may move
 * @param thresholds for each load, the best configuration were all thresholds multiplied
 * @param breakEven for each configuration, in which loads it does not lose money
 * @param bestBreakEven the same of whichever configuration is best
 * @param highestProfit the cell with the highest profit of all
 * @param highestRevenue the cell with the highest revenue among the best configurations
 * @param day when to run which; null where no load of a day is given
 */
public record Plan(
    Prices prices,
    List<ProfitCell> cells,
    List<LostCell> lost,
    List<LoadChoice> choices,
    Map<Integer, List<Sensitivity>> sensitivities,
    Map<Integer, List<Sensitivity.ThresholdChange>> thresholds,
    Map<Configuration, List<BreakEven>> breakEven,
    List<BreakEven> bestBreakEven,
    ProfitCell highestProfit,
    ProfitCell highestRevenue,
    @Nullable DayPlan day) {
  /** Factors on all thresholds under which the choice is looked at again. */
  public static final List<Double> THRESHOLD_FACTORS = List.of(0.5, 0.8, 1.25, 2.0);

  /** Copies the lists. */
  public Plan {
    cells = List.copyOf(cells);
    lost = List.copyOf(lost);
    choices = List.copyOf(choices);
    sensitivities = Collections.unmodifiableMap(new TreeMap<>(sensitivities));
    thresholds = Collections.unmodifiableMap(new TreeMap<>(thresholds));
    breakEven = Collections.unmodifiableMap(new LinkedHashMap<>(breakEven));
    bestBreakEven = List.copyOf(bestBreakEven);
  }

  /** The plan of a mesh at these prices; see {@link #of(List, List, List, Prices)}. */
  public static Plan of(Mesh mesh, Prices prices) {
    return of(mesh.cells(), mesh.lost(), mesh.planned(), prices);
  }

  /**
   * The plan of a mesh's cells at these prices. Those of which most trials failed are not ranked.
   *
   * @param all the cells of which a trial was done
   * @param none the configurations under loads of which none was
   * @param planned all configurations of the mesh, those without a trial that was run included
   * @throws IllegalArgumentException if no cell can be ranked, a type of node or a class of
   *     requests has no price, or the day has more users than any trial
   */
  public static Plan of(
      List<MeshCell> all, List<LostCell> none, List<Configuration> planned, Prices prices) {
    CountedCells counted = CountedCells.of(all, none);
    List<MeshCell> cells = counted.cells();
    List<LostCell> lost = counted.lost();
    if (cells.isEmpty() && !all.isEmpty()) {
      throw new IllegalArgumentException(
          "most trials failed of each configuration under each load, so nothing can be planned");
    }
    ProfitSurface surface = ProfitSurface.of(cells, prices);
    List<LoadChoice> choices = LoadChoice.of(surface, lost, planned);
    Map<Integer, List<Sensitivity>> sensitivities = new TreeMap<>();
    choices.forEach(choice -> sensitivities.put(choice.users(), Sensitivity.of(choice, prices)));
    List<ProfitCell> bests = choices.stream().map(LoadChoice::best).toList();
    return new Plan(
        prices,
        surface.cells(),
        lost,
        choices,
        sensitivities,
        thresholds(cells, prices),
        breakEven(surface, lost),
        bestBreakEven(choices, lost),
        bests.stream().max(Comparator.comparingDouble(ProfitCell::profitPerHour)).orElseThrow(),
        bests.stream().max(Comparator.comparingDouble(ProfitCell::revenuePerHour)).orElseThrow(),
        DayPlan.of(surface, lost, prices));
  }

  /** The cells that are lost at loads of which nothing at all is known, by load. */
  public NavigableMap<Integer, List<LostCell>> unmeasured() {
    NavigableMap<Integer, List<LostCell>> unmeasured = new TreeMap<>();
    lost.stream()
        .filter(each -> choices.stream().noneMatch(choice -> choice.users() == each.users()))
        .forEach(
            each -> unmeasured.computeIfAbsent(each.users(), key -> new ArrayList<>()).add(each));
    return unmeasured;
  }

  private static Map<Configuration, List<BreakEven>> breakEven(
      ProfitSurface surface, List<LostCell> lost) {
    Map<Configuration, NavigableMap<Integer, Double>> rows = new LinkedHashMap<>();
    surface
        .cells()
        .forEach(cell ->
            rows.computeIfAbsent(cell.configuration(), key -> new TreeMap<>())
                .put(cell.users(), cell.profitPerHour()));
    Map<Configuration, NavigableSet<Integer>> failed = new HashMap<>();
    lost.forEach(cell ->
        failed.computeIfAbsent(cell.configuration(), key -> new TreeSet<>()).add(cell.users()));
    Map<Configuration, List<BreakEven>> breakEven = new LinkedHashMap<>();
    rows.forEach((configuration, profits) ->
        breakEven.put(
            configuration,
            BreakEven.of(profits, failed.getOrDefault(configuration, new TreeSet<>()))));
    return breakEven;
  }

  private static List<BreakEven> bestBreakEven(List<LoadChoice> choices, List<LostCell> lost) {
    NavigableMap<Integer, Double> best = new TreeMap<>();
    choices.forEach(choice -> best.put(choice.users(), choice.best().profitPerHour()));
    NavigableSet<Integer> failed = new TreeSet<>();
    lost.forEach(cell -> failed.add(cell.users()));
    failed.removeAll(best.keySet());
    return BreakEven.of(best, failed);
  }

  private static Map<Integer, List<Sensitivity.ThresholdChange>> thresholds(
      List<MeshCell> cells, Prices prices) {
    Map<Integer, List<Sensitivity.ThresholdChange>> changes = new TreeMap<>();
    for (double factor : THRESHOLD_FACTORS) {
      Prices moved = prices.withTerms(terms -> terms.thresholdTimes(factor));
      NavigableMap<Integer, Sensitivity.ThresholdChange> bests = new TreeMap<>();
      for (MeshCell cell : cells) {
        Sensitivity.ThresholdChange earned =
            new Sensitivity.ThresholdChange(
                factor, cell.configuration(), ProfitSurface.profitPerHour(cell, moved));
        bests.merge(
            cell.users(),
            earned,
            (best, other) -> other.profitPerHour() > best.profitPerHour() ? other : best);
      }
      bests.forEach(
          (users, best) -> changes.computeIfAbsent(users, key -> new ArrayList<>()).add(best));
    }
    return changes;
  }
}
