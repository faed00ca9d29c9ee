package org.terrace.scaling.bottleneck;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedShares;
import org.terrace.scaling.repeats.RepeatedShares.Counted;

/**
 * The cells of a mesh beside their bottlenecks, for judges of what is saturated at a
 * configuration's limit. Immutable.
 *
 * @param cells the cells of the mesh
 * @param map the map of the same mesh
 */
record LimitedCells(List<MeshCell> cells, BottleneckMap map) {
  private static final double PERCENT = 100;

  /** A share of samples, with its interval and number. */
  record Part(String what, Interval interval, int samples) {
    String words() {
      return String.format(
          Locale.ROOT,
          "%s in %.0f %% of %d samples (95 %% interval %.0f to %.0f %%)",
          what,
          PERCENT * interval.estimate(),
          samples,
          PERCENT * interval.low(),
          PERCENT * interval.high());
    }
  }

  /**
   * The judgement of a configuration's cell under the highest load; cannot tell where there is none
   * or throughput was not seen at its limit.
   */
  Judgement judge(Configuration configuration, String rule, Function<MeshCell, Judgement> rest) {
    Optional<MeshCell> cell = highest(configuration);
    if (cell.isEmpty()) {
      return Judgement.cannotTell("no valid trial of " + configuration.label(), rule);
    }
    Judgement found = rest.apply(cell.get());
    String where =
        String.format(
            Locale.ROOT,
            "%s at %d users (n = %d): %s",
            configuration.label(),
            cell.get().users(),
            cell.get().trials().size(),
            found.measured());
    return mapped(cell.get()).limited()
        ? new Judgement(found.verdict(), where, rule)
        : Judgement.cannotTell(where + "; throughput was not seen at its limit", rule);
  }

  /** The cell of a configuration under the highest load that was measured of it. */
  Optional<MeshCell> highest(Configuration configuration) {
    return cells.stream()
        .filter(cell -> cell.configuration().equals(configuration))
        .reduce((first, second) -> second);
  }

  /** The cell of the map. */
  MappedCell mapped(MeshCell cell) {
    return map.cells().get(cells.indexOf(cell));
  }

  /** The part of the samples in which any processor of some series is saturated. */
  Part part(MeshCell cell, String what, Predicate<Utilisation> which) {
    return any(cell, what, each -> each.resource().equals("cpu") && which.test(each));
  }

  /** The part of the samples in which a resource is saturated. */
  Part part(MeshCell cell, ResourceSaturation resource) {
    return any(
        cell,
        resource.words(),
        each -> each.node().equals(resource.node()) && each.resource().equals(resource.resource()));
  }

  private Part any(MeshCell cell, String what, Predicate<Utilisation> which) {
    List<List<Counted>> all =
        cells.stream()
            .map(each -> each.trials().stream().map(trial -> counted(trial, which)).toList())
            .toList();
    List<Counted> own = all.get(cells.indexOf(cell));
    return new Part(
        what,
        RepeatedShares.of(all).interval(own, BottleneckMap.CONFIDENCE),
        (int) Counted.sum(own).all());
  }

  private Counted counted(MeshTrial trial, Predicate<Utilisation> which) {
    List<Utilisation> series = trial.utilisation().stream().filter(which).toList();
    double[] most = Density.maximum(series);
    int saturated = 0;
    for (double value : most) {
      saturated += value >= map.rules().saturated() ? 1 : 0;
    }
    return new Counted(saturated, most.length);
  }
}
