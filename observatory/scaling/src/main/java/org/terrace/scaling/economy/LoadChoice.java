package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.repeats.Interval;

/**
 * The configuration that earns most under a load, and those that cannot be told from it. Immutable.
 *
 * @param users the load
 * @param best the cell with the highest mean profit; of equals the cheapest
 * @param rivals all others, the highest profit first
 * @param repeated whether trials were repeated, without which nothing can be told apart
 */
public record LoadChoice(int users, ProfitCell best, List<Rival> rivals, boolean repeated) {
  /** Copies the list. */
  public LoadChoice {
    rivals = List.copyOf(rivals);
  }

  /**
   * A configuration that is not the best.
   *
   * @param cell its cell
   * @param behindPerHour by how much its profit is below the best
   * @param low the lower end of that difference's interval, of which all of a load hold together
   *     with 95 %; null where no trial was repeated
   * @param high the upper end
   */
  public record Rival(
      ProfitCell cell, double behindPerHour, @Nullable Double low, @Nullable Double high) {
    /** Whether it may well be as good as the best. */
    public boolean ties() {
      return low == null || low <= 0;
    }
  }

  /** The rivals that cannot be told from the best; all of them where no trial was repeated. */
  public List<Rival> ties() {
    return rivals.stream().filter(Rival::ties).toList();
  }

  /** The choice at each load, by load. */
  public static List<LoadChoice> of(ProfitSurface surface) {
    List<LoadChoice> choices = new ArrayList<>();
    surface.byLoad().forEach((users, cells) -> choices.add(of(surface, users, cells)));
    return choices;
  }

  private static LoadChoice of(ProfitSurface surface, int users, List<ProfitCell> cells) {
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
    // Bonferroni: with so many differences at a load, each has its part of the chance to be wrong.
    double confidence = 1 - (1 - ProfitSurface.CONFIDENCE) / Math.max(1, sorted.size() - 1);
    for (ProfitCell cell : sorted.subList(1, sorted.size())) {
      Interval behind = surface.difference(best, cell, confidence);
      rivals.add(
          new Rival(
              cell,
              best.profitPerHour() - cell.profitPerHour(),
              behind == null ? null : behind.low(),
              behind == null ? null : behind.high()));
    }
    boolean repeated = best.low() != null;
    return new LoadChoice(users, best, rivals, repeated);
  }
}
