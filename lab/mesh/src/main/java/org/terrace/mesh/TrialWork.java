package org.terrace.mesh;

import java.nio.file.Path;
import java.util.List;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.MeshSpecification;

/** The work of a trial: its servers and load, measured. Used by one thread. */
@FunctionalInterface
interface TrialWork {
  /**
   * Runs a trial until it is done, or has failed often enough, and leaves its folder.
   *
   * @return its row, as the folder has it
   */
  TrialRow run(TrialTurn turn, MeshFolder folder) throws InterruptedException;

  /**
   * The conditions of a mesh that made trials fail, a sentence each.
   *
   * @param trials all trials of the mesh
   * @param directory the directory of the mesh
   */
  default List<String> failedConditions(
      MeshSpecification mesh, List<MeshTrial> trials, Path directory) {
    return List.of();
  }

  /** Ends what is still there for further trials. */
  default void end() {}
}
