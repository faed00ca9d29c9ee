package org.terrace.mesh;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.terrace.experiment.TrialMachine;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.ReadingsInTime;
import org.terrace.observation.Sample;

/**
 * The check that servers, users and capture had room together on each machine: that its processors
 * were not all busy, and that no hypervisor took them away. Where they are, servers compete for the
 * machine instead of reaching limits of their own, and a trial of three servers says as much about
 * the machine as about the topology; it does not count in a mesh (decision 0321). Stateless.
 */
final class MachineHadRoom {
  static final String CHECK = "machine-had-room";

  /** The part of the processors in use from which on a sample counts as full. */
  static final double FULL = 0.95;

  /** The most of the time of the run that they may be full. */
  static final double MOST_FULL = 0.05;

  /** The most of the processors that a hypervisor may take, in the mean of the run. */
  static final double MOST_STEAL = 0.02;

  /** Shorter runs have too few samples to be judged. */
  static final double SHORTEST_SECONDS = 10;

  private MachineHadRoom() {}

  /** The check of a run, from the samples of the machines within it. */
  static ValidityCheck check(List<Sample> samples, List<TrialMachine> machines, Event run) {
    if (run.endNanos() - run.startNanos() < SHORTEST_SECONDS * 1e9) {
      return new ValidityCheck(CHECK, true, "not judged: the run is too short");
    }
    List<Judged> judged =
        machines.stream().map(machine -> Judged.of(samples, machine, run)).toList();
    return new ValidityCheck(
        CHECK,
        judged.stream().allMatch(Judged::passed),
        judged.stream().map(Judged::sentence).collect(Collectors.joining("; ")));
  }

  /**
   * A machine in the run.
   *
   * @param lacking the sentence that too little was read of its processors
   * @param full the part of the time that was read in which they were full
   * @param steal the part of them that a hypervisor took, in the mean
   * @param unlike the sentence that the trial may not use the processors that were read
   */
  private record Judged(
      TrialMachine machine,
      Optional<String> lacking,
      double full,
      double steal,
      Optional<String> unlike) {
    static Judged of(List<Sample> samples, TrialMachine machine, Event run) {
      ReadingsInTime used = readings(samples, machine, Resources.CPU_UTILISATION, run);
      ReadingsInTime stolen = readings(samples, machine, Resources.CPU_STEAL, run);
      return new Judged(
          machine,
          used.lacking(machine.name()),
          used.mean(reading -> reading.value() >= FULL ? 1 : 0),
          stolen.mean(ReadingsInTime.Reading::value),
          machine.otherProcessors(samples));
    }

    private static ReadingsInTime readings(
        List<Sample> samples, TrialMachine machine, String resource, Event run) {
      return ReadingsInTime.of(samples, machine.node(), resource, run.startNanos(), run.endNanos());
    }

    boolean passed() {
      return lacking.isEmpty() && unlike.isEmpty() && full <= MOST_FULL && steal <= MOST_STEAL;
    }

    String sentence() {
      if (lacking.isPresent()) {
        return lacking.get();
      }
      if (unlike.isPresent()) {
        return unlike.get();
      }
      String found =
          String.format(
              Locale.ROOT,
              "the processors of %s were full in %.0f %% of the run (at most %.0f %%), and %.1f %%"
                  + " of them were taken by a hypervisor (at most %.0f %%)",
              machine.name(),
              100 * full,
              100 * MOST_FULL,
              100 * steal,
              100 * MOST_STEAL);
      return full <= MOST_FULL ? found + stolen() : found + filled();
    }

    private String stolen() {
      return steal <= MOST_STEAL ? "" : ": the servers there lacked what it took; run elsewhere";
    }

    /** The clause that tells, by what the trial's own nodes may use, who filled the processors. */
    private String filled() {
      double may = machine.nodes().values().stream().mapToDouble(Double::doubleValue).sum();
      String names = String.join(", ", new TreeSet<>(machine.nodes().keySet()));
      return String.format(
          Locale.ROOT,
          may < machine.cores() * FULL
              ? ": %s may use %.2f of its %d processors there, so that other programs, the capture"
                  + " among them, took the rest; end them or use a larger machine"
              : ": %s may use %.2f processors there, where there are %d, and competed for them;"
                  + " give servers lower limits, use fewer users or a larger machine",
          names,
          may,
          machine.cores());
    }
  }
}
