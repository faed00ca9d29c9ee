package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.experiment.Trial.CaptureFile;
import org.terrace.nodes.Node;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/** The notes beside the results of a trial: checks, the machine, versions. Stateless. */
final class TrialChecks {
  /** A fault may last less than planned by this, and by one of so many parts of its time. */
  private static final Duration SHORTER_BY = Duration.ofMillis(50);

  private static final int SHORTER_BY_PART = 10;

  /** The end of a run, in which each watching visitor has to find the last draft once more. */
  private static final Duration LAST_LOOKS = Duration.ofSeconds(5);

  /** The end of a run in which looks count though a fault ends in it: it is the time of several. */
  private static final Duration LEAST_TO_LOOK = Duration.ofSeconds(1);

  /** A fault as planned: when in the run, and for how long. */
  private record Strike(Duration at, Duration lasting) {}

  private TrialChecks() {}

  /**
   * The check that every fault happened as often, and each time for as long, as it was planned.
   *
   * @param problems what the injector says did not happen
   * @param events everything that did
   */
  static ValidityCheck faults(List<Fault> faults, List<String> problems, List<Event> events) {
    int planned = faults.stream().mapToInt(fault -> fault.schedule().count()).sum();
    List<String> said = new ArrayList<>(problems);
    if (problems.isEmpty()) {
      Map<String, List<Strike>> strikes = new TreeMap<>();
      for (Fault fault : faults) {
        List<Strike> some =
            strikes.computeIfAbsent(
                fault.word() + " of " + fault.server(), strike -> new ArrayList<>());
        fault.schedule().moments().forEach(at -> some.add(new Strike(at, heldFor(fault))));
      }
      strikes.forEach((strike, some) -> {
        some.sort(Comparator.comparing(Strike::at));
        compare(strike, some, events, said);
      });
    }
    return new ValidityCheck(
        "faults-happened",
        said.isEmpty(),
        said.isEmpty() ? planned + " planned, all happened" : String.join("; ", said));
  }

  /** The time for which a fault holds its server; zero where that is not planned. */
  private static Duration heldFor(Fault fault) {
    return fault instanceof Fault.Kill ? Duration.ZERO : fault.length().orElse(Duration.ZERO);
  }

  /** Compares the strikes of one kind at one server, in their order, with what happened. */
  private static void compare(
      String strike, List<Strike> planned, List<Event> events, List<String> said) {
    List<Event> happened =
        events.stream()
            .filter(event -> ("fault-" + strike).equals(event.kind() + " of " + event.node()))
            .sorted(Comparator.comparingLong(Event::startNanos))
            .toList();
    if (happened.size() < planned.size()) {
      said.add("%s happened %d of %d times".formatted(strike, happened.size(), planned.size()));
      return;
    }
    for (int index = 0; index < planned.size(); index++) {
      Event event = happened.get(index);
      Duration lasted = Duration.ofNanos(event.endNanos() - event.startNanos());
      Duration lasting = planned.get(index).lasting();
      Duration least = lasting.minus(lasting.dividedBy(SHORTER_BY_PART)).minus(SHORTER_BY);
      if (lasted.compareTo(least) < 0) {
        said.add(
            "%s at %d ms lasted %d of %d ms"
                .formatted(
                    strike,
                    planned.get(index).at().toMillis(),
                    lasted.toMillis(),
                    lasting.toMillis()));
      }
    }
  }

  /** The check that no server ends but by a fault; all are still to be running. */
  static ValidityCheck serversAlive(
      Deployment deployment, Experiment experiment, List<Event> events) {
    List<String> ended = new ArrayList<>();
    for (String server : experiment.topology().serverNames()) {
      Node node = deployment.node(server);
      if (!node.isAlive() && !wasKilled(node, events)) {
        ended.add(
            server
                + " ended by itself with exit status "
                + node.exit().join().status()
                + ", see "
                + node.logFile());
      }
    }
    String detail = ended.isEmpty() ? "no server ended by itself" : String.join("; ", ended);
    return new ValidityCheck("servers-alive", ended.isEmpty(), detail);
  }

  private static boolean wasKilled(Node node, List<Event> events) {
    String pid = Long.toString(node.pid());
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.FAULT_KILL))
        .filter(event -> event.node().equals(node.name()))
        .map(Event::attributes)
        .anyMatch(attributes -> pid.equals(attributes.get("pid")));
  }

  /**
   * The check that no session was lost, and that all could still be reached at the end of the run,
   * after its faults.
   */
  static ValidityCheck sessions(SessionCounts counts, List<Event> events) {
    long runEnd =
        events.stream()
            .filter(event -> event.kind().equals(EventKinds.PHASE_RUN))
            .mapToLong(Event::endNanos)
            .max()
            .orElse(Long.MAX_VALUE);
    long faultsEnd =
        events.stream()
            .filter(event -> event.kind().startsWith("fault-"))
            .mapToLong(Event::endNanos)
            .max()
            .orElse(Long.MIN_VALUE);
    long since =
        Math.max(
            runEnd - LAST_LOOKS.toNanos(), Math.min(faultsEnd, runEnd - LEAST_TO_LOOK.toNanos()));
    return new ValidityCheck(
        "sessions-kept",
        counts.kept(since),
        "%s; %,d visitors found their last draft in the last %d ms of the run or later"
            .formatted(
                counts, counts.foundSince(since), Duration.ofNanos(runEnd - since).toMillis()));
  }

  /**
   * The check that all is there that monitors read. A verdict is given on it until the end of the
   * run, and one on less might be another.
   *
   * @param lost what was not read to the end or not kept, a sentence each
   * @param samples the samples that are there
   */
  static ValidityCheck readings(List<String> lost, int samples) {
    return new ValidityCheck(
        "readings-complete",
        lost.isEmpty(),
        lost.isEmpty()
            ? samples + " samples, none left out"
            : String.join("; ", lost) + "; verdicts would be given on what is left");
  }

  static ValidityCheck capture(List<CaptureFile> captures) {
    long written = captures.stream().mapToLong(CaptureFile::packets).sum();
    long dropped = captures.stream().mapToLong(CaptureFile::droppedPackets).sum();
    String detail = written + " packets written, " + dropped + " dropped";
    return new ValidityCheck("capture-complete", dropped == 0, detail);
  }

  /**
   * The facts about the machine.
   *
   * @param ofHosts those about the servers' place
   */
  static Map<String, String> machine(Map<String, String> ofHosts) {
    MachineFacts facts = MachineFacts.ofThisMachine();
    Map<String, String> named = new TreeMap<>(ofHosts);
    named.put("cores", Integer.toString(facts.cores()));
    named.put("memoryBytes", Long.toString(facts.memoryBytes()));
    named.put("cpu", facts.cpu());
    named.put("kernel", facts.kernel());
    named.put("java", facts.java());
    facts.commit().ifPresent(commit -> named.put("commit", commit));
    return named;
  }

  static Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("java", Runtime.version().toString());
    String terrace = TrialChecks.class.getPackage().getImplementationVersion();
    versions.put("terrace", terrace == null ? "unpackaged" : terrace);
    return versions;
  }
}
