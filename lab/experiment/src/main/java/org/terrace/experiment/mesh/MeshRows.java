package org.terrace.experiment.mesh;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.search.SearchCandidate;
import org.terrace.scaling.search.SearchCourse;

/**
 * The trials of a mesh by their keys, and the rows of those that have ended. A trial that failed
 * under an earlier command has a row, and is to be tried once more. Confined to one thread.
 */
final class MeshRows {
  private static final String NOT_YET = "it is not run yet";
  private static final String NOT_NEEDED = "the search had no need of it";

  private final MeshSpecification mesh;
  private final Map<String, String> machine;
  private final SearchCourse course;
  private final Map<String, PlannedTrial> trials = new LinkedHashMap<>();
  private final Map<SearchCandidate, String> keys = new HashMap<>();
  private final Map<String, TrialRow> rows = new HashMap<>();

  /** The trials that failed under an earlier command. */
  private final Set<String> failedBefore = new HashSet<>();

  private MeshRows(MeshSpecification mesh, Surroundings surroundings) {
    this.mesh = mesh;
    this.machine = surroundings.machine();
    this.course = mesh.course();
    for (PlannedTrial trial : mesh.trials()) {
      String key = surroundings.key(trial);
      trials.put(key, trial);
      keys.put(trial.candidate(), key);
    }
  }

  /** The rows that a directory has. */
  static MeshRows read(Path directory, MeshSpecification mesh, Surroundings surroundings) {
    MeshRows all = new MeshRows(mesh, surroundings);
    for (String key : all.trials.keySet()) {
      MeshFolder.row(directory, key)
          .ifPresent(row -> {
            all.rows.put(key, row);
            if (!row.trial().isDone()) {
              all.failedBefore.add(key);
            }
          });
    }
    return all;
  }

  SearchCourse course() {
    return course;
  }

  Set<String> keys() {
    return trials.keySet();
  }

  /** The key of a trial of the mesh. */
  String key(SearchCandidate candidate) {
    String key = keys.get(candidate);
    if (key == null) {
      throw new IllegalArgumentException(candidate + " is not in the mesh");
    }
    return key;
  }

  /** The trial with a key. */
  PlannedTrial planned(String key) {
    PlannedTrial trial = trials.get(key);
    if (trial == null) {
      throw new IllegalArgumentException("no trial has the key " + key);
    }
    return trial;
  }

  void put(String key, TrialRow row) {
    rows.put(key, row);
    failedBefore.remove(key);
  }

  /** The trials that were not done, in the order of the course. */
  List<PlannedTrial> left() {
    List<PlannedTrial> left = new ArrayList<>();
    for (SearchCandidate candidate : course.candidates()) {
      String key = key(candidate);
      TrialRow row = rows.get(key);
      if (row == null || !row.trial().isDone()) {
        left.add(planned(key));
      }
    }
    return left;
  }

  /** The rows of trials that were done. */
  List<TrialRow> done() {
    return rows.values().stream().filter(row -> row.trial().isDone()).toList();
  }

  /**
   * The trials that count, in the choice of the next one as in the answer: those that were done,
   * and that failed under this command.
   */
  List<MeshTrial> counted() {
    List<MeshTrial> counted = new ArrayList<>();
    rows.forEach((key, row) -> {
      if (counts(key)) {
        counted.add(row.trial());
      }
    });
    return counted;
  }

  private boolean counts(String key) {
    return rows.containsKey(key) && !failedBefore.contains(key);
  }

  /**
   * All trials in the order of the specification, with what those say that count. One that does not
   * count is skipped, for the time being or for good.
   */
  MeshResults results() {
    List<MeshTrial> all = new ArrayList<>();
    trials.forEach((key, planned) -> {
      TrialRow row = rows.get(key);
      all.add(
          row != null && counts(key)
              ? row.trial()
              : TrialMeasure.without(planned, key, Status.SKIPPED));
    });
    return new MeshResults(new Mesh(mesh.name(), machine, all), course.answer(counted()));
  }

  /** Writes the file of the mesh into its directory. */
  void write(Path directory) {
    String skipped = course.next(counted()).isEmpty() ? NOT_NEEDED : NOT_YET;
    Map<String, String> reasons = new HashMap<>();
    for (String key : trials.keySet()) {
      TrialRow row = rows.get(key);
      if (row == null) {
        reasons.put(key, skipped);
      } else {
        reasons.put(
            key,
            counts(key)
                ? row.reason()
                : "under an earlier command it failed (" + row.reason() + "), since then " + skipped);
      }
    }
    MeshFile.write(directory.resolve(MeshFile.NAME), results(), reasons);
  }
}
