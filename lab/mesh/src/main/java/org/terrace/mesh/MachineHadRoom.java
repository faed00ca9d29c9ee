package org.terrace.mesh;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/**
 * The check that servers, users and capture had room on the machine together: that its processors
 * were not all busy, and that no hypervisor took them away. Where they are, servers compete for the
 * machine instead of reaching limits of their own, and a trial of three servers says as much about
 * the machine as about the topology; it does not count in a mesh (decision 0321). Stateless.
 */
final class MachineHadRoom {
  static final String CHECK = "machine-had-room";

  /** The part of the processors in use from which on a sample counts as full. */
  static final double FULL = 0.95;

  /** The most samples of the run that may be full. */
  static final double MOST_FULL = 0.05;

  /** The most of the processors that a hypervisor may take, in the mean of the run. */
  static final double MOST_STEAL = 0.02;

  /** Shorter runs have too few samples to be judged. */
  static final double SHORTEST_SECONDS = 10;

  private MachineHadRoom() {}

  /** The check of a run, from the samples of the machine within it. */
  static ValidityCheck check(List<Sample> samples, Event run) {
    if (run.endNanos() - run.startNanos() < SHORTEST_SECONDS * 1e9) {
      return new ValidityCheck(CHECK, true, "not judged: the run is too short");
    }
    double[] used = values(samples, Resources.CPU_UTILISATION, run).toArray();
    double full =
        used.length == 0
            ? 0
            : DoubleStream.of(used).filter(value -> value >= FULL).count() / (double) used.length;
    double steal = values(samples, Resources.CPU_STEAL, run).average().orElse(0);
    boolean passed = full <= MOST_FULL && steal <= MOST_STEAL;
    String detail =
        String.format(
            Locale.ROOT,
            "the machine's processors were full in %.0f %% of the run (at most %.0f %%), and %.1f"
                + " %% of them were taken by a hypervisor (at most %.0f %%)",
            100 * full,
            100 * MOST_FULL,
            100 * steal,
            100 * MOST_STEAL);
    return new ValidityCheck(
        CHECK,
        passed,
        passed
            ? detail
            : detail
                + ": the servers competed for the machine; give them lower limits, use fewer users"
                + " or a larger machine");
  }

  private static DoubleStream values(List<Sample> samples, String resource, Event run) {
    return samples.stream()
        .filter(sample -> sample.node().equals(Resources.MACHINE))
        .filter(sample -> sample.resource().equals(resource))
        .filter(
            sample -> sample.timeNanos() > run.startNanos() && sample.timeNanos() <= run.endNanos())
        .mapToDouble(Sample::value);
  }
}
