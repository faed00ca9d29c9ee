package org.terrace.experiment;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

/**
 * The check that the machine had room for the trial: what other programs used of its processors
 * during the run. Servers that wait for a processor stand still and are slow like those with a
 * fault of their own, and nothing in the packets tells the difference. Stateless.
 */
final class MachineRoom {
  static final String CHECK = "machine-room";

  /** The part of the processors that others may use; the trial's own capture is among them. */
  static final double MOST = 0.3;

  /** Shorter runs have too few samples to be judged. */
  static final double SHORTEST_SECONDS = 10;

  private MachineRoom() {}

  /**
   * The check.
   *
   * @param samples what was used, by node
   * @param cores the cores that the utilisation of each of the trial's own nodes is a part of
   * @param machineCores the cores of the machine
   */
  static ValidityCheck check(
      List<Sample> samples, Map<String, Double> cores, int machineCores, List<Event> phases) {
    Event run =
        phases.stream()
            .filter(event -> event.kind().equals(EventKinds.PHASE_RUN))
            .findFirst()
            .orElse(null);
    if (run == null || run.endNanos() - run.startNanos() < SHORTEST_SECONDS * 1e9) {
      return new ValidityCheck(CHECK, true, "not judged: the run is too short");
    }
    double all = mean(samples, Resources.MACHINE, run) * machineCores;
    double own = 0;
    for (Map.Entry<String, Double> node : cores.entrySet()) {
      own += mean(samples, node.getKey(), run) * node.getValue();
    }
    double others = Math.max(0, all - own) / machineCores;
    boolean passed = others <= MOST;
    String used =
        String.format(
            Locale.ROOT,
            "other programs used %.0f %% of this machine's processors during the run (at most %.0f"
                + " %%)",
            100 * others,
            100 * MOST);
    return new ValidityCheck(
        CHECK,
        passed,
        passed
            ? used
            : used
                + ": servers waited for a processor, so their stalls and slowness may be that; end"
                + " the other programs and run again");
  }

  private static double mean(List<Sample> samples, String node, Event run) {
    return samples.stream()
        .filter(sample -> sample.node().equals(node))
        .filter(sample -> sample.resource().equals(Resources.CPU_UTILISATION))
        .filter(
            sample -> sample.timeNanos() > run.startNanos() && sample.timeNanos() <= run.endNanos())
        .mapToDouble(Sample::value)
        .average()
        .orElse(0);
  }
}
