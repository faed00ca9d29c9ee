package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialWatch;
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
 */
public record TrialMachine(
    String name, String node, int cores, OptionalDouble quota, Map<String, Double> nodes) {
  /** Copies the nodes. */
  public TrialMachine {
    nodes = Map.copyOf(nodes);
  }

  /** A machine without a quota. */
  public TrialMachine(String name, String node, int cores, Map<String, Double> nodes) {
    this(name, node, cores, OptionalDouble.empty(), nodes);
  }

  /**
   * The machines of a trial, that of the users first: of hosts with the same processors of one
   * machine there is one. What runs on a host counts wherever the host's processors are among the
   * machine's.
   *
   * @param runner the host of the users
   * @param hosts the hosts of the nodes
   * @param cores gives the cores that a node may use
   */
  static List<TrialMachine> of(
      ServerHost runner, SortedMap<String, ServerHost> hosts, ToDoubleFunction<String> cores) {
    List<ServerHost> firsts = new ArrayList<>(List.of(runner));
    for (ServerHost host : hosts.values()) {
      if (firsts.stream().noneMatch(first -> host.facts().hasSameProcessors(first.facts()))) {
        firsts.add(host);
      }
    }
    return firsts.stream().map(first -> of(runner, first, hosts, cores)).toList();
  }

  private static TrialMachine of(
      ServerHost runner,
      ServerHost first,
      SortedMap<String, ServerHost> hosts,
      ToDoubleFunction<String> cores) {
    Map<String, Double> nodes = new TreeMap<>();
    hosts.forEach((node, host) -> {
      if (host.facts().isWithinProcessors(first.facts())) {
        nodes.put(node, cores.applyAsDouble(node));
      }
    });
    return new TrialMachine(
        first.equals(runner) ? "this machine" : "the host " + first.name(),
        first.equals(runner) ? Resources.MACHINE : TrialWatch.machineNode(first),
        first.facts().cores(),
        first.facts().quota(),
        nodes);
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
