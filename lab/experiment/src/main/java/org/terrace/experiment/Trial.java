package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.observation.Event;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/**
 * The outcome of one run of an experiment. The requests of the servers are not in it: they are in
 * the capture. Immutable.
 *
 * @param experiment what was run
 * @param specification the text it was read from
 * @param directory the result directory
 * @param servers the servers, from the web to the database, with their addresses
 * @param samples what servers and machine used
 * @param events phases, faults, pauses of JVMs, backends ejected and so on
 * @param clientRequests the requests as the users saw them
 * @param validity the checks, those of the load generator included
 * @param captures the packets as each capture point saw them, that with the clock of all times
 *     first; empty when none were captured
 * @param machine facts about the machine by name
 * @param versions versions of the programs by name
 * @param machines the machines that servers and users ran on, that of the users first
 * @param turn its turn on servers that it shared with other trials; empty when it had its own
 */
public record Trial(
    Experiment experiment,
    String specification,
    Path directory,
    List<Server> servers,
    List<Sample> samples,
    List<Event> events,
    RequestTable clientRequests,
    List<ValidityCheck> validity,
    List<CaptureFile> captures,
    Map<String, String> machine,
    Map<String, String> versions,
    List<TrialMachine> machines,
    Optional<SharedTurn> turn) {

  /** The file in the result directory that describes the trial. */
  public static final String FILE = "trial.json";

  /** The file in the result directory that holds the specification. */
  public static final String SPECIFICATION_FILE = "specification.yaml";

  /** The file in the result directory that holds the packets. */
  public static final String CAPTURE_FILE = "capture.pcapng";

  /** Copies the collections. */
  public Trial {
    servers = List.copyOf(servers);
    samples = List.copyOf(samples);
    events = List.copyOf(events);
    validity = List.copyOf(validity);
    captures = List.copyOf(captures);
    machine = Map.copyOf(machine);
    versions = Map.copyOf(versions);
    machines = List.copyOf(machines);
  }

  /**
   * Adds a check of whoever ran it, which its file in the result directory tells from then on.
   *
   * @return the same trial with the check
   */
  public Trial judged(ValidityCheck check) {
    List<ValidityCheck> all = new ArrayList<>(validity);
    all.add(check);
    Trial judged =
        new Trial(
            experiment,
            specification,
            directory,
            servers,
            samples,
            events,
            clientRequests,
            all,
            captures,
            machine,
            versions,
            machines,
            turn);
    TrialFile.write(judged);
    return judged;
  }

  /** Whether all its checks held. */
  boolean isValid() {
    return validity.stream().allMatch(ValidityCheck::passed);
  }

  /**
   * Captured packets.
   *
   * @param point the name of the place at which they were captured
   * @param file the pcapng file
   * @param packets packets in it
   * @param bytes their bytes on the wire
   * @param droppedPackets packets that were lost because the ring was full
   */
  public record CaptureFile(
      String point, Path file, long packets, long bytes, long droppedPackets) {}
}
