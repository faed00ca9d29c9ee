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
  /** Samples that may be missing at the ends of a run. */
  private static final int FEW = 2;

  /** A part of an interval by which division may err. */
  private static final double ROUNDING = 1e-6;

  /** Copies the list. */
  public MeshCell {
    trials = List.copyOf(trials);
    if (trials.isEmpty()) {
      throw new IllegalArgumentException("a cell has a trial");
    }
  }

  /** Whether more of its trials failed than were done, so that these may be what it survived. */
  public boolean mostlyFailed() {
    return failed.count() > trials.size();
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
   * repeat lacks are left out, see {@link #lacking}.
   */
  public List<Utilisation> utilisation() {
    if (trials.size() == 1) {
      return trials.getFirst().utilisation();
    }
    List<String> lacking = lacking();
    List<Double> seconds = repeatSeconds();
    List<Utilisation> joined = new ArrayList<>();
    for (Utilisation first : trials.getFirst().utilisation()) {
      List<Utilisation> parts = new ArrayList<>();
      for (MeshTrial trial : trials) {
        trial.utilisation().stream()
            .filter(each -> each.name().equals(first.name()))
            .findFirst()
            .ifPresent(parts::add);
      }
      if (parts.size() == trials.size() && !lacking.contains(first.name())) {
        joined.add(Utilisation.joined(parts, seconds));
      }
    }
    return joined;
  }

  /** The seconds that each repeat takes in the samples of all, see {@link #utilisation}. */
  public List<Double> repeatSeconds() {
    // Each repeat begins where an interval of every series does, the longest ones included.
    double longest =
        trials.stream()
            .flatMap(trial -> trial.utilisation().stream())
            .mapToDouble(Utilisation::secondsPerSample)
            .max()
            .orElse(1);
    return trials.stream()
        .map(trial -> {
          double own =
              trial.utilisation().stream().mapToDouble(Utilisation::seconds).max().orElse(0);
          return Math.ceil(own / longest - ROUNDING) * longest;
        })
        .toList();
  }

  /**
   * The hardware that was sampled in a repeat and not throughout all of them, such as {@code cpu of
   * app1}: it may have been saturated when nobody looked.
   */
  public List<String> lacking() {
    return trials.stream()
        .flatMap(trial -> trial.utilisation().stream())
        .filter(Utilisation::isHardware)
        .map(Utilisation::name)
        .distinct()
        .filter(name -> !trials.stream().allMatch(trial -> isThroughout(name, trial)))
        .toList();
  }

  private static boolean isThroughout(String name, MeshTrial trial) {
    return trial.utilisation().stream()
        .anyMatch(each -> each.name().equals(name) && isWhole(each, trial));
  }

  /**
   * Whether the samples of hardware cover about as much time as those of any other of the trial.
   */
  private static boolean isWhole(Utilisation series, MeshTrial trial) {
    List<Utilisation> hardware =
        trial.utilisation().stream()
            .filter(Utilisation::isHardware)
            .filter(each -> each.size() > 0)
            .toList();
    double shortest = hardware.stream().mapToDouble(Utilisation::secondsPerSample).min().orElse(1);
    // The run may have ended within the last sample's interval.
    double most =
        hardware.stream()
            .mapToDouble(each -> (each.size() - 1) * each.secondsPerSample() + shortest)
            .max()
            .orElse(0);
    double missing = most - series.size() * series.secondsPerSample();
    double few = Math.max(FEW * shortest, series.secondsPerSample());
    return series.size() > 0 && missing <= Math.max(few, most / 10) + ROUNDING;
  }
}
