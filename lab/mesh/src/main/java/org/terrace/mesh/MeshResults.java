package org.terrace.mesh;

import java.util.List;
import java.util.Optional;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.search.SearchRound;

/**
 * The trials of a mesh, and the answer to what was asked of them. Immutable.
 *
 * @param mesh the trials in the order of the specification, failed and skipped ones included
 * @param round the round that they are of
 * @param answer the answer; empty if the mesh asked for nothing
 * @param over whether the round has ended: no trial is left to it
 * @param failedConditions the conditions of {@code fail-if} that made trials fail, a sentence each,
 *     as the last command that ran all it had to run judged them
 */
public record MeshResults(
    Mesh mesh,
    SearchRound round,
    Optional<SearchAnswer> answer,
    boolean over,
    List<String> failedConditions) {
  /** Copies the list. */
  public MeshResults {
    failedConditions = List.copyOf(failedConditions);
  }

  /**
   * Results of which no condition was asked, or none failed, and whose round has ended as their
   * answer says, or else if no trial was skipped.
   */
  public MeshResults(Mesh mesh, SearchRound round, Optional<SearchAnswer> answer) {
    this(
        mesh,
        round,
        answer,
        answer
            .map(SearchAnswer::complete)
            .orElseGet(
                () -> mesh.trials().stream().noneMatch(trial -> trial.status() == Status.SKIPPED)),
        List.of());
  }

  /**
   * The trials that failed and are to be tried again. What failed in an earlier round, and a search
   * has no need to try again, is not among them.
   */
  public long failed() {
    return answer
        .map(found -> (long) found.failed())
        .orElseGet(
            () -> mesh.trials().stream().filter(trial -> trial.status() == Status.FAILED).count());
  }

  /** Whether a trial failed, or a condition made one fail. */
  public boolean hasFailed() {
    return !failedConditions.isEmpty() || failed() > 0;
  }
}
