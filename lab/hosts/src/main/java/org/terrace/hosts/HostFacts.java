package org.terrace.hosts;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A host as it describes itself. Immutable.
 *
 * @param machine the kernel's identity of this start of the machine: hosts that have it in common,
 *     as containers of one machine do, have one clock
 * @param network the identity of the network namespace on that machine
 * @param cores its processors
 * @param processors the numbers of those that the trial may use there, as the machine counts them
 * @param quota the cores that a quota of processor time leaves the trial there; empty without one
 * @param java the {@code java} program there
 * @param folder the folder for files of the trial there
 * @param limitWarning the reason why processor time cannot be limited there; empty when it can
 * @param leftovers the remains of runs that died, a sentence each
 * @param facts the machine by names such as {@code kernel}
 */
public record HostFacts(
    String machine,
    String network,
    int cores,
    Set<Integer> processors,
    OptionalDouble quota,
    Path java,
    Path folder,
    Optional<String> limitWarning,
    List<String> leftovers,
    Map<String, String> facts) {
  /** Copies the collections. */
  public HostFacts {
    processors = Set.copyOf(processors);
    leftovers = List.copyOf(leftovers);
    facts = Map.copyOf(facts);
  }

  /**
   * The cores that a server there may use: all, where a limit is asked for that is not permitted.
   *
   * @param limit the limit asked for, in cores
   */
  public double coresWithin(OptionalDouble limit) {
    return limitWarning.isPresent() ? cores : Math.min(cores, limit.orElse(cores));
  }

  /** Whether another host is the same machine, so that both have one clock. */
  public boolean isSameMachine(HostFacts other) {
    return machine.equals(other.machine);
  }

  /** Whether another host has the same processors of the same machine, and as much of them. */
  public boolean hasSameProcessors(HostFacts other) {
    return isSameMachine(other) && processors.equals(other.processors) && quota.equals(other.quota);
  }

  /** Whether some of what the trial may use there is among the processors of another host. */
  public boolean sharesProcessors(HostFacts other) {
    return isSameMachine(other) && !Collections.disjoint(processors, other.processors);
  }

  /** Whether all that the trial may use there is among the processors of another host. */
  public boolean isWithinProcessors(HostFacts other) {
    return isSameMachine(other) && other.processors.containsAll(processors);
  }

  /** Whether another host sees the same packets. */
  public boolean isSameNetwork(HostFacts other) {
    return isSameMachine(other) && network.equals(other.network);
  }
}
