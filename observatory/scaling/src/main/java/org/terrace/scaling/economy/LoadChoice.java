package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.repeats.Interval;

/**
 * The configuration that earns most under a workload, and those that cannot be told from it.
 * Immutable.
 *
 * @param load the workload
 * @param best the cell with the highest mean profit; of equals the cheapest
 * @param rivals all others, the highest profit first
 * @param lost the configurations of which nothing is known there, since most trials failed
 * @param unmeasured the number of the mesh's configurations of which no trial was run there
 * @param repeated whether trials were repeated, without which nothing can be told apart
 */
public record LoadChoice(
    Workload load,
    ProfitCell best,
    List<Rival> rivals,
    List<LostCell> lost,
    int unmeasured,
    boolean repeated) {
  /** Copies the lists. */
  public LoadChoice {
    rivals = List.copyOf(rivals);
    lost = List.copyOf(lost);
  }

  /**
   * A configuration that is not the best.
   *
   * @param cell its cell
   * @param behindPerHour by how much its profit is below the best
   * @param low the lower end of that difference's interval; those of all pairs of a load, of which
   *     the best is chosen, hold together with 95 %; null where no trial like it was repeated
   * @param high the upper end
   * @param doubtful whether trials of it or of the best failed, so that what was measured may be
   *     what they survived
   */
  public record Rival(
      ProfitCell cell,
      double behindPerHour,
      @Nullable Double low,
      @Nullable Double high,
      boolean doubtful) {
    /** Whether it may well be as good as the best. */
    public boolean ties() {
      return doubtful || low == null || low <= 0;
    }
  }

  /** The users of the load. */
  public int users() {
    return load.users();
  }

  /**
   * Whether the best earns more than all others of the mesh, beyond chance and whatever made trials
   * fail.
   */
  public boolean told() {
    return repeated && ties().isEmpty() && lost.isEmpty() && unmeasured == 0;
  }

  /** Whether a trial under the load failed. */
  public boolean hasFailures() {
    return best.failed().any() || !failing().isEmpty();
  }

  /** The configurations, other than the best, of which trials failed. */
  public List<Configuration> failing() {
    return Stream.concat(
            rivals.stream()
                .map(Rival::cell)
                .filter(cell -> cell.failed().any())
                .map(ProfitCell::configuration),
            lost.stream().map(LostCell::configuration))
        .toList();
  }

  /** The rivals that cannot be told from the best; all of them where no trial was repeated. */
  public List<Rival> ties() {
    return rivals.stream().filter(Rival::ties).toList();
  }

  /**
   * The choice at each load among what was run there, by load; the intervals of each load hold
   * together by themselves.
   *
   * @param lost the configurations under loads of which most trials failed
   */
  public static List<LoadChoice> of(ProfitSurface surface, List<LostCell> lost) {
    return of(surface, lost, List.of(), 1);
  }

  /**
   * The choice at each load among all configurations of a mesh, by load, as {@link #of(
   * ProfitSurface, List)} has it.
   *
   * @param planned the configurations of the mesh, whether or not a trial of them was run
   */
  static List<LoadChoice> of(
      ProfitSurface surface, List<LostCell> lost, List<Configuration> planned) {
    return of(surface, lost, planned, 1);
  }

  /**
   * The choice at each load, by load, with intervals that hold together with 95 % under all loads,
   * and with those of other surfaces that are looked at in the same way.
   *
   * @param surfaces the number of these surfaces, this one included
   */
  static List<LoadChoice> jointly(ProfitSurface surface, List<LostCell> lost, int surfaces) {
    return of(surface, lost, List.of(), surfaces * surface.byLoad().size());
  }

  /**
   * The choices among configurations of one kind, which differ in the numbers of their servers
   * alone, by load, with intervals that hold together as those of {@link #jointly} do.
   */
  static Map<Configuration.Kind, List<LoadChoice>> byKind(
      ProfitSurface surface, List<LostCell> lost, int surfaces) {
    Map<Configuration.Kind, NavigableMap<Workload, List<ProfitCell>>> kinds = new LinkedHashMap<>();
    surface
        .cells()
        .forEach(cell ->
            kinds
                .computeIfAbsent(cell.configuration().kind(), _ -> new TreeMap<>())
                .computeIfAbsent(cell.workload(), _ -> new ArrayList<>())
                .add(cell));
    int choices = kinds.values().stream().mapToInt(Map::size).sum();
    Map<Configuration.Kind, List<LoadChoice>> found = new LinkedHashMap<>();
    kinds.forEach((kind, columns) -> {
      List<LostCell> mine =
          lost.stream().filter(each -> each.configuration().kind().equals(kind)).toList();
      found.put(kind, of(surface, columns, mine, List.of(), surfaces * choices));
    });
    return found;
  }

  private static List<LoadChoice> of(
      ProfitSurface surface, List<LostCell> lost, List<Configuration> planned, int choices) {
    return of(surface, surface.byLoad(), lost, planned, choices);
  }

  /**
   * The choices of columns of cells.
   *
   * @param choices the number of choices whose intervals are to hold together
   */
  private static List<LoadChoice> of(
      ProfitSurface surface,
      NavigableMap<Workload, List<ProfitCell>> columns,
      List<LostCell> lost,
      List<Configuration> planned,
      int choices) {
    double wrong = (1 - ProfitSurface.CONFIDENCE) / choices;
    List<LoadChoice> found = new ArrayList<>();
    columns.forEach((load, cells) -> {
      List<LostCell> there =
          lost.stream()
              .filter(each -> Workload.of(each.configuration(), each.users()).equals(load))
              .toList();
      List<Configuration> choosable =
          planned.stream().filter(each -> each.loadVariations().equals(load.variation())).toList();
      found.add(of(surface, cells, there, choosable, wrong));
    });
    return found;
  }

  /** The number of pairs of so many things; 1 at least. */
  static int pairs(int things) {
    return Math.max(1, things * (things - 1) / 2);
  }

  private static LoadChoice of(
      ProfitSurface surface,
      List<ProfitCell> cells,
      List<LostCell> lost,
      List<Configuration> planned,
      double wrong) {
    List<ProfitCell> sorted =
        cells.stream()
            .sorted(
                Comparator.comparingDouble(ProfitCell::profitPerHour)
                    .reversed()
                    .thenComparingDouble(ProfitCell::costPerHour)
                    .thenComparing(cell -> cell.configuration().label()))
            .toList();
    ProfitCell best = sorted.getFirst();
    List<Rival> rivals = new ArrayList<>();
    // Bonferroni, over all pairs: any two may turn out to be the best and a rival of it, so the
    // intervals of those that did hold only if those of all would.
    double confidence = 1 - wrong / pairs(sorted.size());
    for (ProfitCell cell : sorted.subList(1, sorted.size())) {
      Interval behind = surface.difference(best, cell, confidence);
      rivals.add(
          new Rival(
              cell,
              best.profitPerHour() - cell.profitPerHour(),
              behind == null ? null : behind.low(),
              behind == null ? null : behind.high(),
              best.failed().any() || cell.failed().any()));
    }
    boolean repeated = best.low() != null;
    Set<Configuration> unmeasured = new HashSet<>(planned);
    cells.forEach(cell -> unmeasured.remove(cell.configuration()));
    lost.forEach(cell -> unmeasured.remove(cell.configuration()));
    return new LoadChoice(best.workload(), best, rivals, lost, unmeasured.size(), repeated);
  }
}
