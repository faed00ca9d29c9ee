package org.terrace.scaling;

import java.util.ArrayList;
import java.util.List;

/**
 * The repeats of one configuration under one load. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param trials the trials that were done, at least one, in the order of their repeats
 * @param failed those that failed
 */
public record MeshCell(
    Configuration configuration, int users, List<MeshTrial> trials, FailedTrials failed) {
  /** Copies the list. */
  public MeshCell {
    trials = List.copyOf(trials);
    if (trials.isEmpty()) {
      throw new IllegalArgumentException("a cell has a trial");
    }
  }

  /** The throughput of each repeat, per second. */
  public double[] throughputs() {
    return trials.stream().mapToDouble(MeshTrial::throughputPerSecond).toArray();
  }

  /** The share of requests that failed, in all repeats together. */
  public double errorShare() {
    long count = 0;
    long errors = 0;
    for (MeshTrial trial : trials) {
      for (ClassOutcome outcome : trial.classes()) {
        count += outcome.count();
        errors += outcome.errors();
      }
    }
    return count == 0 ? 0 : (double) errors / count;
  }

  /**
   * The samples of each resource, those of one repeat after those of the other. Resources that a
   * repeat lacks are left out.
   */
  public List<Utilisation> utilisation() {
    if (trials.size() == 1) {
      return trials.getFirst().utilisation();
    }
    List<Utilisation> joined = new ArrayList<>();
    for (Utilisation first : trials.getFirst().utilisation()) {
      List<Utilisation> parts =
          trials.stream()
              .flatMap(trial -> trial.utilisation().stream())
              .filter(each ->
                  each.node().equals(first.node()) && each.resource().equals(first.resource()))
              .toList();
      if (parts.size() == trials.size()) {
        joined.add(Utilisation.joined(parts));
      }
    }
    return joined;
  }
}
