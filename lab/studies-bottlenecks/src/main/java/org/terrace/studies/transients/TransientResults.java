package org.terrace.studies.transients;

import java.util.List;
import java.util.Optional;

/** Everything that the study measured. Immutable. */
record TransientResults(
    TransientParameters parameters, List<TransientRun> runs, WatchingCost watching) {

  /** Copies the list. */
  TransientResults {
    runs = List.copyOf(runs);
  }

  /** The run of a setting; empty where there was none. */
  Optional<TransientRun> of(TransientSetting setting) {
    return runs.stream().filter(run -> run.setting() == setting).findFirst();
  }
}
