package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.terrace.experiment.Trial.CaptureFile;
import org.terrace.hosts.ServerWatch.LimitsInForce;
import org.terrace.nodes.Node;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/** The notes beside the results of a trial: checks, the machine, versions. Stateless. */
final class TrialChecks {
  /** The time after the start of a run within which its limits are in force. */
  private static final Duration LIMITED_WITHIN = Duration.ofSeconds(1);

  /** The end of a run, in which each watching visitor has to find the last draft once more. */
  private static final Duration LAST_LOOKS = Duration.ofSeconds(5);

  /** The end of a run in which looks count though a fault ends in it: it is the time of several. */
  private static final Duration LEAST_TO_LOOK = Duration.ofSeconds(1);

  private static final double NANOS_PER_SECOND = 1e9;

  private TrialChecks() {}

  /**
   * The check that the limits of processor time that were asked for held during the run.
   *
   * @param asked the servers that are to have one
   * @param refused those of them whose host permits none, of which there is a warning and whose
   *     figures are of whole cores; a mesh does not begin with such a host
   * @param inForce what each host put in force
   * @param lost what did not hold to the end of the run, a sentence each
   * @param runStartNanos the start of the run, in nanoseconds since the Unix epoch
   * @param sample the time between two readings
   */
  static ValidityCheck limits(
      Set<String> asked,
      Set<String> refused,
      List<LimitsInForce> inForce,
      List<String> lost,
      long runStartNanos,
      Duration sample) {
    Duration within = sample.compareTo(LIMITED_WITHIN) > 0 ? sample : LIMITED_WITHIN;
    Set<String> lacking = new TreeSet<>(asked);
    lacking.removeAll(refused);
    List<String> failed = new ArrayList<>(lost);
    List<String> held = new ArrayList<>();
    for (LimitsInForce host : inForce) {
      Set<String> here = new TreeSet<>(host.servers());
      here.retainAll(lacking);
      lacking.removeAll(here);
      long afterNanos = Math.max(0, host.sinceNanos() - runStartNanos);
      if (!here.isEmpty()) {
        boolean late = afterNanos > within.toNanos();
        (late ? failed : held)
            .add(
                String.format(
                    Locale.ROOT,
                    "%s limited %.2f s after the start of the run%s",
                    String.join(", ", here),
                    afterNanos / NANOS_PER_SECOND,
                    late ? ", and had whole cores until then" : ""));
      }
    }
    if (!lacking.isEmpty()) {
      failed.add(String.join(", ", lacking) + " not limited, though that was asked for");
    }
    if (!refused.isEmpty()) {
      held.add(
          "no limits permitted for %s, whose figures are of whole cores"
              .formatted(String.join(", ", new TreeSet<>(refused))));
    }
    return new ValidityCheck(
        "limits-in-force", failed.isEmpty(), String.join("; ", failed.isEmpty() ? held : failed));
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

  /**
   * The check that the captures saw what the trial sent, and lost none of it.
   *
   * @param captures those of a trial that captures packets, one for each capture point
   * @param requests the requests that the users sent
   */
  static ValidityCheck capture(List<CaptureFile> captures, int requests) {
    long written = captures.stream().mapToLong(CaptureFile::packets).sum();
    long dropped = captures.stream().mapToLong(CaptureFile::droppedPackets).sum();
    List<String> detail =
        new ArrayList<>(List.of(written + " packets written, " + dropped + " dropped"));
    String blind =
        captures.stream()
            .filter(each -> each.packets() == 0 && requests > 0)
            .map(CaptureFile::point)
            .collect(Collectors.joining(", "));
    if (!blind.isEmpty()) {
      detail.add(
          "the capture at %s saw no packet of a trial of %d requests, so that nothing can be told from it"
              .formatted(blind, requests));
    }
    return new ValidityCheck(
        "capture-complete", dropped == 0 && blind.isEmpty(), String.join("; ", detail));
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
