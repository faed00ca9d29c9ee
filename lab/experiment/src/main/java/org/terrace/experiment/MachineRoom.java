package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.ReadingsInTime;
import org.terrace.observation.Sample;

/**
 * The check that each machine had room for the trial: what other programs used of its processors
 * during the run. Servers that wait for a processor stand still and are slow like those with a
 * fault of their own, and nothing in the packets tells the difference. Stateless.
 */
final class MachineRoom {
  static final String CHECK = "machine-room";

  /** The part of the processors that others may use; the trial's own capture is among them. */
  static final double MOST = 0.3;

  /** The part by which a trial may seem to use more than all programs, as moments differ. */
  static final double MOST_BELOW_ZERO = 0.1;

  /** Shorter runs have too few samples to be judged. */
  static final double SHORTEST_SECONDS = 10;

  private MachineRoom() {}

  /** The check from what was used, by node. */
  static ValidityCheck check(
      List<Sample> samples, List<TrialMachine> machines, List<Event> phases) {
    Event run =
        phases.stream()
            .filter(event -> event.kind().equals(EventKinds.PHASE_RUN))
            .findFirst()
            .orElse(null);
    if (run == null || run.endNanos() - run.startNanos() < SHORTEST_SECONDS * 1e9) {
      return new ValidityCheck(CHECK, true, "not judged: the run is too short");
    }
    boolean passed = true;
    List<String> said = new ArrayList<>();
    for (TrialMachine machine : machines) {
      ReadingsInTime used =
          ReadingsInTime.of(
              samples, machine.node(), Resources.CPU_UTILISATION, run.startNanos(), run.endNanos());
      double others = others(samples, machine, used);
      Optional<String> unknown = unknown(samples, machine, used, others);
      passed &= unknown.isEmpty() && others <= MOST;
      said.add(unknown.orElseGet(() -> sentence(machine, others)));
    }
    return new ValidityCheck(CHECK, passed, String.join("; ", said));
  }

  /** The reason why nothing is known of a machine's room; empty if something is. */
  private static Optional<String> unknown(
      List<Sample> samples, TrialMachine machine, ReadingsInTime used, double others) {
    Optional<String> lacking = used.lacking(machine.name());
    if (lacking.isPresent()) {
      return lacking;
    }
    if (others < -MOST_BELOW_ZERO) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "the trial is said to have used %.0f %% more of the processors of %s than all programs"
                  + " together, so that it cannot be told what others used",
              -100 * others,
              machine.name()));
    }
    return machine.otherProcessors(samples);
  }

  private static String sentence(TrialMachine machine, double others) {
    String used =
        String.format(
            Locale.ROOT,
            "other programs used %d %% of the processors of %s during the run (at most %.0f %%)",
            Math.round(100 * others),
            machine.name(),
            100 * MOST);
    if (others > MOST && !machine.sharing().isEmpty()) {
      return used.replace("other programs", "other programs, or " + sharing(machine) + ",")
          + ": nobody can tell which, as these may use processors elsewhere, too; give them"
          + " processors that are all there or none (taskset, docker --cpuset-cpus)";
    }
    return others <= MOST
        ? used
        : used
            + ": servers waited for a processor, so their stalls and slowness may be that; end the"
            + " other programs there and run again";
  }

  private static String sharing(TrialMachine machine) {
    return String.join(", ", new TreeSet<>(machine.sharing()));
  }

  /**
   * The part of a machine's processors that others used, which is a little below zero where they
   * used none, as readings are of different moments.
   */
  private static double others(List<Sample> samples, TrialMachine machine, ReadingsInTime used) {
    NavigableMap<Long, Double> own = new TreeMap<>();
    used.readings().forEach(reading -> own.put(reading.timeNanos(), 0.0));
    for (Map.Entry<String, Double> node : machine.nodes().entrySet()) {
      Map<Long, Double> values = new TreeMap<>();
      for (Sample sample : samples) {
        if (!sample.node().equals(node.getKey())
            || !sample.resource().equals(Resources.CPU_UTILISATION)) {
          continue;
        }
        // The nodes are read after their machine, and of one that does not run there is no reading.
        Long reading = own.floorKey(sample.timeNanos());
        if (reading != null) {
          values.putIfAbsent(reading, sample.value() * node.getValue() / machine.cores());
        }
      }
      values.forEach((reading, value) -> own.merge(reading, value, Double::sum));
    }
    return used.mean(reading -> reading.value() - own.getOrDefault(reading.timeNanos(), 0.0));
  }
}
