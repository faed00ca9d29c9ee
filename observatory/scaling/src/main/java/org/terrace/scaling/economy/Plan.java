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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;

/**
 * The economics of a mesh at some prices: which configuration earns most under which load, how
 * surely, and what would change it. Configurations are compared under one {@link Workload}, since
 * nobody who runs them chooses what users ask for. Immutable.
 *
 * @param prices the prices
 * @param cells the profit of each configuration under each load
 * @param lost the configurations under loads of which most trials failed, so that nothing is known
 * @param choices the best configuration at each load, by load
 * @param sensitivities for each load, how far each price may move
 * @param thresholds for each load, the best configuration were all thresholds multiplied
 * @param breakEven for each configuration, in which loads it does not lose money
 * @param bestBreakEven the same of whichever configuration is best, with the load varied as it is
 *     where the profit is highest
 * @param highestProfit the cell with the highest profit of all
 * @param highestRevenue the cell with the highest revenue among the best configurations
 * @param day when to run which; null where no load of a day is given
 */
public record Plan(
    Prices prices,
    List<ProfitCell> cells,
    List<LostCell> lost,
    List<LoadChoice> choices,
    Map<Workload, List<Sensitivity>> sensitivities,
    Map<Workload, List<Sensitivity.ThresholdChange>> thresholds,
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
   *     requests has no price, the day has more users than any trial, or it does not say which of
   *     the loads it is of that the mesh varies
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
    if (!prices.day().isEmpty()) {
      requireOneLoad(planned);
    }
    ProfitSurface surface = ProfitSurface.of(cells, prices);
    List<LoadChoice> choices = LoadChoice.of(surface, lost, planned);
    Map<Workload, List<Sensitivity>> sensitivities = new TreeMap<>();
    choices.forEach(choice -> sensitivities.put(choice.load(), Sensitivity.of(choice, prices)));
    List<ProfitCell> bests = choices.stream().map(LoadChoice::best).toList();
    ProfitCell highest =
        bests.stream().max(Comparator.comparingDouble(ProfitCell::profitPerHour)).orElseThrow();
    return new Plan(
        prices,
        surface.cells(),
        lost,
        choices,
        sensitivities,
        thresholds(cells, prices),
        breakEven(surface, lost),
        bestBreakEven(choices, lost, highest.workload().variation()),
        highest,
        bests.stream().max(Comparator.comparingDouble(ProfitCell::revenuePerHour)).orElseThrow(),
        DayPlan.of(surface, lost, prices));
  }

  /** The cells that are lost at loads of which nothing at all is known, by load. */
  public NavigableMap<Workload, List<LostCell>> unmeasured() {
    NavigableMap<Workload, List<LostCell>> unmeasured = new TreeMap<>();
    lost.forEach(each ->
        unmeasured
            .computeIfAbsent(
                Workload.of(each.configuration(), each.users()), key -> new ArrayList<>())
            .add(each));
    choices.forEach(choice -> unmeasured.remove(choice.load()));
    return unmeasured;
  }

  /** Whether there are users of whom the mesh varies what they ask for. */
  public boolean variesLoad() {
    return Stream.concat(
                choices.stream().map(LoadChoice::load), unmeasured().navigableKeySet().stream())
            .map(Workload::variation)
            .distinct()
            .count()
        > 1;
  }

  private static void requireOneLoad(List<Configuration> planned) {
    List<String> loads =
        planned.stream()
            .map(Configuration::loadVariations)
            .distinct()
            .map(each ->
                each.entrySet().stream().map(String::valueOf).collect(Collectors.joining(" ")))
            .toList();
    if (loads.size() > 1) {
      throw new IllegalArgumentException(
          "the prices have a day, which does not say which of the loads it is of that the mesh"
              + " varies ("
              + String.join(", ", loads)
              + "): leave it out, or plan a mesh of one of them");
    }
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

  private static List<BreakEven> bestBreakEven(
      List<LoadChoice> choices, List<LostCell> lost, Map<String, String> variation) {
    NavigableMap<Integer, Double> best = new TreeMap<>();
    choices.stream()
        .filter(choice -> choice.load().variation().equals(variation))
        .forEach(choice -> best.put(choice.users(), choice.best().profitPerHour()));
    NavigableSet<Integer> failed =
        lost.stream()
            .filter(cell -> cell.configuration().loadVariations().equals(variation))
            .map(LostCell::users)
            .filter(users -> !best.containsKey(users))
            .collect(Collectors.toCollection(TreeSet::new));
    return BreakEven.of(best, failed);
  }

  private static Map<Workload, List<Sensitivity.ThresholdChange>> thresholds(
      List<MeshCell> cells, Prices prices) {
    Map<Workload, List<Sensitivity.ThresholdChange>> changes = new TreeMap<>();
    for (double factor : THRESHOLD_FACTORS) {
      Prices moved = prices.withTerms(terms -> terms.thresholdTimes(factor));
      NavigableMap<Workload, Sensitivity.ThresholdChange> bests = new TreeMap<>();
      for (MeshCell cell : cells) {
        Sensitivity.ThresholdChange earned =
            new Sensitivity.ThresholdChange(
                factor, cell.configuration(), ProfitSurface.profitPerHour(cell, moved));
        bests.merge(
            Workload.of(cell.configuration(), cell.users()),
            earned,
            (best, other) -> other.profitPerHour() > best.profitPerHour() ? other : best);
      }
      bests.forEach(
          (load, best) -> changes.computeIfAbsent(load, key -> new ArrayList<>()).add(best));
    }
    return changes;
  }
}
