package org.terrace.mesh;

import org.terrace.experiment.TrialPhase;
import org.terrace.observation.Event;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.PlannedTrial;

/** A listener to the progress of a mesh. Called by several threads, one at a time. */
public interface MeshListener {
  /** A listener that shows nothing. */
  MeshListener SILENT = new MeshListener() {};

  /** The mesh begins, or goes on. */
  default void plan(MeshForecast forecast) {}

  /**
   * A search has chosen the trial that begins next.
   *
   * @param reason why this one, in a few words
   */
  default void chosen(String reason) {}

  /**
   * A trial begins.
   *
   * @param number its number among those that are done or expected to be run, from 1
   * @param trials how many these are: all of the mesh, or the most that its search runs
   * @param attempt the number of the attempt, from 1
   */
  default void begins(int number, int trials, PlannedTrial trial, int attempt) {}

  /**
   * A trial ended, and counts unless it failed.
   *
   * @param reason why it does not count; empty if it does
   */
  default void ended(MeshTrial trial, String reason) {}

  /** An attempt at a trial failed, and another follows. */
  default void failed(PlannedTrial trial, String reason) {}

  /** A trial under way has come to another phase. */
  default void phase(TrialPhase phase) {}

  /** A fault was injected into a trial, and is over. */
  default void fault(Event fault) {}

  /** Takes a message that a user may like to read. */
  default void message(String text) {}

  /** Takes a warning that a user should read. */
  default void warning(String text) {}

  /** The figures of the last second of a trial's load, as the load generator printed them. */
  default void progress(String json) {}
}
