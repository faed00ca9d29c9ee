package org.terrace.nodes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The process to start as one node of a trial. Immutable.
 *
 * @param name its name, for example {@code app1}; its log is {@code NAME.log}
 * @param command the program and its arguments
 * @param environment variables to set beside those of this process
 * @param workingDirectory the directory it starts in
 * @param readiness how it shows that it accepts work
 * @param readyWithin how long it may take until then
 * @param forks whether it starts processes of its own, which then count as part of it
 * @param stopSignal the signal that asks it to end
 */
public record NodeSpecification(
    String name,
    List<String> command,
    Map<String, String> environment,
    Path workingDirectory,
    Readiness readiness,
    Duration readyWithin,
    boolean forks,
    Signal stopSignal) {

  /** Copies the collections. */
  public NodeSpecification {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** A node of a single process that ends on SIGTERM, started in the root directory. */
  public static NodeSpecification of(
      String name, List<String> command, Readiness readiness, Duration readyWithin) {
    return new NodeSpecification(
        name, command, Map.of(), Path.of("/"), readiness, readyWithin, false, Signal.TERM);
  }

  /** The same, with all processes it starts counted as part of it, and another stop signal. */
  public NodeSpecification forking(Signal stop) {
    return new NodeSpecification(
        name, command, environment, workingDirectory, readiness, readyWithin, true, stop);
  }

  /** The same, started in a directory and with further variables in its environment. */
  public NodeSpecification within(Path directory, Map<String, String> variables) {
    return new NodeSpecification(
        name, command, variables, directory, readiness, readyWithin, forks, stopSignal);
  }

  /** The same, started by another command. */
  public NodeSpecification withCommand(List<String> other) {
    return new NodeSpecification(
        name, other, environment, workingDirectory, readiness, readyWithin, forks, stopSignal);
  }

  /** The sign by which a node shows that it accepts work. */
  public sealed interface Readiness {
    /** The node prints this line, or one that begins with it and a space. */
    record Line(String text) implements Readiness {}

    /** The node accepts TCP connections at this address and port. */
    record Port(String address, int port) implements Readiness {}

    /**
     * A check holds.
     *
     * @param what what the check waits for, to complete the sentence "did not ..."
     */
    record Check(BooleanSupplier check, String what) implements Readiness {}

    /** The node answers a GET of a path at this address and port with a status from 200 to 299. */
    record Http(String address, int port, String path) implements Readiness {}

    /** The node is ready once it has started. */
    record AtOnce() implements Readiness {}
  }
}
