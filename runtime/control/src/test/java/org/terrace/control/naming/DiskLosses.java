package org.terrace.control.naming;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;

/**
 * The losses of disks that strike the naming processes of a simulation, from the first moment on:
 * at random times, and close together when it does the most harm, which is when one process alone
 * has heard of an age. Never are so many without what they knew that a majority has forgotten.
 */
final class DiskLosses {
  private static final long SECOND = 1_000_000_000;
  private static final long LOOK_NANOS = 3_000_000;

  private final Simulation simulation;
  private final List<String> naming;
  private final Consumer<SimulatedNode> loss;
  private final Set<String> struck = new HashSet<>();
  private final long endNanos;

  private DiskLosses(
      Simulation simulation, List<String> naming, Consumer<SimulatedNode> loss, long endNanos) {
    this.simulation = simulation;
    this.naming = naming;
    this.loss = loss;
    this.endNanos = endNanos;
  }

  /** Lets losses strike for a time. */
  static void unleash(
      Simulation simulation,
      List<String> naming,
      Consumer<SimulatedNode> loss,
      long durationNanos) {
    DiskLosses losses =
        new DiskLosses(simulation, naming, loss, simulation.nowNanos() + durationNanos);
    losses.strikeAtRandom();
    losses.strikeWhoKnowsMost();
  }

  private void strikeAtRandom() {
    later(
        simulation.random().nextLong(SECOND / 2),
        () -> {
          do {
            List<SimulatedNode> nodes = nodes();
            strike(nodes.get(simulation.random().nextInt(nodes.size())));
          } while (simulation.random().nextBoolean());
          strikeAtRandom();
        });
  }

  private void strikeWhoKnowsMost() {
    later(
        LOOK_NANOS,
        () -> {
          List<SimulatedNode> voters = new ArrayList<>();
          nodes().stream().filter(SimulatedNaming::isAdmitted).forEach(voters::add);
          long highest = voters.stream().mapToLong(SimulatedNaming::floor).max().orElse(0);
          List<SimulatedNode> first =
              voters.stream().filter(node -> SimulatedNaming.floor(node) == highest).toList();
          if (highest > 0 && first.size() == 1) {
            SimulatedNode alone = first.getFirst();
            int odds = SimulatedNaming.hasVotedInItsAge(alone) ? 2 : 32;
            if (simulation.random().nextInt(odds) == 0) {
              strike(alone);
            }
          }
          strikeWhoKnowsMost();
        });
  }

  private void later(long nanos, Runnable what) {
    if (simulation.nowNanos() + nanos < endNanos) {
      simulation.schedule(nanos, what);
    }
  }

  private List<SimulatedNode> nodes() {
    return simulation.nodes().stream().filter(node -> naming.contains(node.name())).toList();
  }

  private void strike(SimulatedNode victim) {
    nodes().stream()
        .filter(SimulatedNaming::isAdmitted)
        .forEach(node -> struck.remove(node.name()));
    int majority = naming.size() / 2 + 1;
    if (struck.contains(victim.name()) || struck.size() < naming.size() - majority) {
      struck.add(victim.name());
      loss.accept(victim);
    }
  }
}
