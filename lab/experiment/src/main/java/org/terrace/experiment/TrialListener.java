package org.terrace.experiment;

import org.terrace.observation.Event;

/**
 * A listener to the progress of a trial. Called by several threads, one at a time; what it throws
 * ends the trial.
 */
public interface TrialListener {
  /** A listener that shows nothing. */
  TrialListener SILENT = new TrialListener() {};

  /** The trial has come to another phase. */
  default void phase(TrialPhase phase) {}

  /** Takes a message that a user may like to read. */
  default void message(String text) {}

  /** Takes a warning that a user should read: the trial goes on, but lacks something. */
  default void warning(String text) {}

  /** A fault was injected, and is over. */
  default void fault(Event fault) {}

  /** The figures of the last second, as the load generator printed them: a JSON object. */
  default void progress(String json) {}
}
