package org.terrace.report.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.SearchAnswer;

/**
 * A mesh with all that was computed of it. Immutable.
 *
 * @param mesh the trials
 * @param map what each configuration achieves, and what holds it back
 * @param plan what it earns
 * @param search the answer of the search that chose its trials; null if nothing was asked of it
 * @param priceSource where the prices are from, for people
 * @param directory the directory of the mesh
 */
public record PlannedMesh(
    Mesh mesh,
    BottleneckMap map,
    Plan plan,
    @Nullable SearchAnswer search,
    String priceSource,
    Path directory) {
  /** The classes of requests that its trials have, in the order of their names. */
  SortedSet<String> classes() {
    SortedSet<String> classes = new TreeSet<>();
    mesh.done().forEach(trial -> trial.classes().forEach(each -> classes.add(each.name())));
    return classes;
  }

  /** The classes of requests that the prices name and no trial has: mistyped, most likely. */
  List<String> unknownClasses() {
    SortedSet<String> known = classes();
    return plan.prices().classes().keySet().stream().filter(each -> !known.contains(each)).toList();
  }

  /** The names of its configurations. */
  public ConfigurationNames names() {
    return ConfigurationNames.of(mesh);
  }
}
