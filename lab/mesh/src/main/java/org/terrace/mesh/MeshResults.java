package org.terrace.mesh;

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
 */
public record MeshResults(
    Mesh mesh, SearchRound round, Optional<SearchAnswer> answer, boolean over) {
  /** Results whose round has ended as their answer says, or else if no trial was skipped. */
  public MeshResults(Mesh mesh, SearchRound round, Optional<SearchAnswer> answer) {
    this(
        mesh,
        round,
        answer,
        answer
            .map(SearchAnswer::complete)
            .orElseGet(
                () -> mesh.trials().stream().noneMatch(trial -> trial.status() == Status.SKIPPED)));
  }
}
