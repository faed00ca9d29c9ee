package org.terrace.scaling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The trials of many configurations under many loads. Immutable.
 *
 * @param name the name of the specification
 * @param machine facts of the machine that ran the trials, by name
 * @param trials the trials in the order of the specification, failed and skipped ones included
 */
public record Mesh(String name, Map<String, String> machine, List<MeshTrial> trials) {
  /** The format of the file {@code mesh.json}. */
  public static final String FORMAT = "terrace-mesh/1";

  /** Copies the collections; the facts keep their order. */
  public Mesh {
    machine = Collections.unmodifiableMap(new LinkedHashMap<>(machine));
    trials = List.copyOf(trials);
  }

  /** The trials that were done, which alone have figures. */
  public List<MeshTrial> done() {
    return trials.stream().filter(MeshTrial::isDone).toList();
  }

  /** The configurations with a trial that was done, in the order of the specification. */
  public List<Configuration> configurations() {
    return done().stream().map(MeshTrial::configuration).distinct().toList();
  }

  /** All configurations, in the order of the specification, whether or not a trial was run. */
  public List<Configuration> planned() {
    return trials.stream().map(MeshTrial::configuration).distinct().toList();
  }

  /**
   * The repeats that were done, by configuration in the order of the specification, then by load.
   */
  public List<MeshCell> cells() {
    List<MeshCell> cells = new ArrayList<>();
    grouped()
        .forEach((configuration, loads) ->
            loads.forEach((users, repeats) -> {
              List<MeshTrial> done = repeats.stream().filter(MeshTrial::isDone).toList();
              if (!done.isEmpty()) {
                cells.add(new MeshCell(configuration, users, done, FailedTrials.of(repeats)));
              }
            }));
    return cells;
  }

  /**
   * The configurations under loads of which all trials that were run failed, in the order of {@link
   * #cells}, which lacks them.
   */
  public List<LostCell> lost() {
    List<LostCell> lost = new ArrayList<>();
    grouped()
        .forEach((configuration, loads) ->
            loads.forEach((users, repeats) -> {
              FailedTrials failed = FailedTrials.of(repeats);
              if (failed.any() && repeats.stream().noneMatch(MeshTrial::isDone)) {
                lost.add(new LostCell(configuration, users, failed));
              }
            }));
    return lost;
  }

  /** All trials by configuration and load, in the order of their repeats. */
  private Map<Configuration, SortedMap<Integer, List<MeshTrial>>> grouped() {
    Map<Configuration, SortedMap<Integer, List<MeshTrial>>> grouped = new LinkedHashMap<>();
    for (MeshTrial trial : trials) {
      grouped
          .computeIfAbsent(trial.configuration(), key -> new TreeMap<>())
          .computeIfAbsent(trial.users(), key -> new ArrayList<>())
          .add(trial);
    }
    grouped
        .values()
        .forEach(loads ->
            loads
                .values()
                .forEach(repeats -> repeats.sort(Comparator.comparingInt(MeshTrial::repeat))));
    return grouped;
  }

  /** The loads of the trials that were done, in users. */
  public NavigableSet<Integer> loads() {
    return done().stream().map(MeshTrial::users).collect(Collectors.toCollection(TreeSet::new));
  }
}
