package org.terrace.scaling;

import java.util.Collection;
import java.util.List;

/**
 * The trials of a configuration under a load that failed. Those that were done may be the ones that
 * it survived. Immutable.
 *
 * @param count their number
 * @param reasons why they failed, each reason once; fewer where it is not told
 */
public record FailedTrials(int count, List<String> reasons) {
  /** No trial. */
  public static final FailedTrials NONE = new FailedTrials(0, List.of());

  /** Copies the list. */
  public FailedTrials {
    reasons = List.copyOf(reasons);
  }

  /** Counts the trials that failed, of all that are given. */
  public static FailedTrials of(Collection<MeshTrial> trials) {
    List<MeshTrial> failed =
        trials.stream().filter(trial -> trial.status() == MeshTrial.Status.FAILED).toList();
    return new FailedTrials(
        failed.size(),
        failed.stream()
            .map(MeshTrial::failure)
            .filter(reason -> !reason.isEmpty())
            .distinct()
            .toList());
  }

  /** Whether there is one. */
  public boolean any() {
    return count > 0;
  }
}
