package org.terrace.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.experiment.SharedTurn;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.search.EndedTrial;
import org.terrace.specification.PlannedTrial;

/**
 * The end of a trial as its folder keeps it. Immutable.
 *
 * @param trial its figures
 * @param reasons why each attempt at it failed, in their order, those of earlier rounds included;
 *     one less than attempts if it was done
 * @param wallSeconds the time that its last attempt took, from the start of its database to its
 *     report
 * @param round the number of the round in which it ended, from 1
 * @param shared its turn on servers that it shared with other trials; empty when it had its own
 */
record TrialRow(
    MeshTrial trial,
    List<String> reasons,
    double wallSeconds,
    int round,
    Optional<SharedTurn> shared) {
  TrialRow {
    reasons = List.copyOf(reasons);
    trial = trial.withFailure(trial.isDone() || reasons.isEmpty() ? "" : reasons.getLast());
    if (round < 1) {
      throw new IllegalArgumentException(
          "a trial ended in round " + round + "; expected 1 or more");
    }
  }

  /** The end of a trial that had servers of its own. */
  TrialRow(MeshTrial trial, List<String> reasons, double wallSeconds, int round) {
    this(trial, reasons, wallSeconds, round, Optional.empty());
  }

  /**
   * The row as that of a trial with the same key. What decides a trial is its key; the names that a
   * specification has for it, such as those of node types, may have changed since it was run.
   */
  TrialRow of(PlannedTrial planned) {
    MeshTrial named = trial.at(planned.configuration(), planned.users(), planned.repeat());
    return new TrialRow(named, reasons, wallSeconds, round, shared);
  }

  /** The row with the failures of an earlier one of the same trial, which it takes the place of. */
  TrialRow after(TrialRow before) {
    List<String> all = new ArrayList<>(before.reasons);
    all.addAll(reasons);
    return new TrialRow(trial, all, wallSeconds, round, shared);
  }

  /** The trial with the failures of all attempts before the last one. */
  MeshTrial told() {
    return trial.withEarlier(
        trial.isDone() || reasons.isEmpty() ? reasons : reasons.subList(0, reasons.size() - 1));
  }

  /** The trial as a round sees it. */
  EndedTrial ended() {
    return new EndedTrial(trial, round);
  }

  /** The reason for which the trial does not count; empty if it does. */
  String reason() {
    return trial.failure();
  }
}
