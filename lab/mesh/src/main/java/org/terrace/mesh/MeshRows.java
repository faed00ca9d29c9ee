package org.terrace.mesh;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.terrace.core.TerraceException;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.search.EndedTrial;
import org.terrace.scaling.search.SearchCandidate;
import org.terrace.scaling.search.SearchCourse;
import org.terrace.scaling.search.SearchRound;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The trials of a mesh by their keys, and the rows of those that have ended, and the round in which
 * others are run. Confined to one thread.
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

  private final List<MeshDamage> damages = new ArrayList<>();
  private Optional<MeshResults> before = Optional.empty();
  private SearchRound round = SearchRound.FIRST;
  private List<String> failedConditions = List.of();

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

  /** The rows that a directory has, without those that cannot be read. */
  static MeshRows read(Path directory, MeshSpecification mesh, Surroundings surroundings) {
    MeshRows all = new MeshRows(mesh, surroundings);
    for (String key : all.trials.keySet()) {
      try {
        MeshFolder.row(directory, key)
            .ifPresent(row -> all.rows.put(key, row.of(all.planned(key))));
      } catch (TerraceException | IllegalArgumentException | ArithmeticException e) {
        Path trial = directory.resolve(MeshFolder.relative(key));
        all.damages.add(new MeshDamage(trial, String.valueOf(e.getMessage())));
      }
    }
    Path file = directory.resolve(MeshFile.NAME);
    try {
      all.before = Files.exists(file) ? Optional.of(MeshFile.results(file)) : Optional.empty();
    } catch (TerraceException e) {
      all.damages.add(new MeshDamage(file, String.valueOf(e.getMessage())));
    }
    all.failedConditions = all.before.map(MeshResults::failedConditions).orElse(List.of());
    all.round =
        SearchRound.after(
            all.course,
            all.ended(),
            all.before.map(MeshResults::round).orElse(SearchRound.FIRST),
            all.before.filter(MeshResults::over).isPresent());
    return all;
  }

  /** The files that cannot be read: their trials count as not run. */
  List<MeshDamage> damages() {
    return List.copyOf(damages);
  }

  /** The results that an earlier command left. */
  Optional<MeshResults> before() {
    return before;
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

  /** Puts the row of a trial that has ended, in the place of what earlier commands left of it. */
  void put(String key, TrialRow row) {
    TrialRow before = rows.get(key);
    rows.put(key, before == null ? row : row.after(before));
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

  private List<EndedTrial> ended() {
    return rows.values().stream().map(TrialRow::ended).toList();
  }

  /** The round in which trials are run. */
  SearchRound round() {
    return round;
  }

  /**
   * The trials that count, in the choice of the next one as in what was run: those that were done,
   * and that failed in this round.
   */
  List<MeshTrial> counted() {
    return round.counted(ended());
  }

  /**
   * All trials in the order of the specification. One that failed is known as failed until it is
   * done, in whatever round that was: what is left beside it may be what survived. One that was not
   * run is skipped, for the time being or for good.
   */
  MeshResults results() {
    List<MeshTrial> all = new ArrayList<>();
    trials.forEach((key, planned) -> {
      TrialRow row = rows.get(key);
      all.add(row != null ? row.told() : TrialMeasure.without(planned, key, Status.SKIPPED));
    });
    List<MeshTrial> known = ended().stream().map(EndedTrial::trial).toList();
    return new MeshResults(
        new Mesh(mesh.name(), machine, all),
        round,
        course.answer(counted(), known),
        course.next(counted()).isEmpty(),
        failedConditions);
  }

  /** Takes the conditions that made trials fail, in the place of what an earlier command found. */
  void judged(List<String> sentences) {
    failedConditions = List.copyOf(sentences);
  }

  /** Writes the file of the mesh into its directory. */
  void write(Path directory) {
    MeshResults results = results();
    String skipped = results.over() ? NOT_NEEDED : NOT_YET;
    Map<String, String> reasons = new HashMap<>();
    for (String key : trials.keySet()) {
      TrialRow row = rows.get(key);
      reasons.put(key, row == null ? skipped : row.reason());
    }
    MeshFile.write(directory.resolve(MeshFile.NAME), results, reasons);
  }
}
