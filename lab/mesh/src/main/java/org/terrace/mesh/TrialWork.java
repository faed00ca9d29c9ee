package org.terrace.mesh;

/** The work of a trial: its servers and load, measured. Used by one thread. */
@FunctionalInterface
interface TrialWork {
  /**
   * Runs a trial until it is done, or has failed often enough, and leaves its folder.
   *
   * @return its row, as the folder has it
   */
  TrialRow run(TrialTurn turn, MeshFolder folder) throws InterruptedException;

  /** Ends what is still there for further trials. */
  default void end() {}
}
