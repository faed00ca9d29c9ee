package org.terrace.experiment;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Sample;

/**
 * The processors of a machine that hosts of a trial have in common, as it is judged whether they
 * had room. Immutable.
 *
 * @param name the words for it, such as {@code this machine} or {@code the host left}
 * @param node the node of its readings among the samples
 * @param cores its processors
 * @param quota the cores that a quota of processor time leaves the trial there, if it has one
 * @param nodes the cores that each of the trial's own nodes on it may use, and that the node's
 *     utilisation is a part of
 * @param sharing the trial's other nodes that may use some of its processors, and others, so that
 *     nobody can tell how much of these
 */
public record TrialMachine(
    String name,
    String node,
    int cores,
    OptionalDouble quota,
    Map<String, Double> nodes,
    Set<String> sharing) {
  /** Copies the nodes. */
  public TrialMachine {
    nodes = Map.copyOf(nodes);
    sharing = Set.copyOf(sharing);
  }

  /** A machine without a quota. */
  public TrialMachine(String name, String node, int cores, Map<String, Double> nodes) {
    this(name, node, cores, OptionalDouble.empty(), nodes, Set.of());
  }

  /**
   * Says that the processors which were read are not those that the trial may use, as under a
   * quota, so that nobody can tell from them what room it had; empty where they are.
   *
   * @param samples the readings of the trial
   */
  public Optional<String> otherProcessors(List<Sample> samples) {
    return samples.stream()
        .filter(sample -> sample.node().equals(node))
        .filter(sample -> sample.resource().equals(Resources.PROCESSORS))
        .mapToLong(sample -> Math.round(sample.value()))
        .filter(counted -> counted != cores || quota.orElse((double) counted) < counted)
        .mapToObj(counted ->
            "%s has %d processors that were read, and the trial may use as much as %s of them: it cannot be told what room it had; bound the processors that it may use (taskset, docker --cpuset-cpus) instead of their time"
                .formatted(name, counted, usable()))
        .findFirst();
  }

  private String usable() {
    return quota.isPresent() && quota.getAsDouble() < cores
        ? String.format(Locale.ROOT, "%.2f", quota.getAsDouble())
        : Integer.toString(cores);
  }
}
