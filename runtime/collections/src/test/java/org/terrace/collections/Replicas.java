package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.state.ReplicaState;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** Replicas that have found each other on a calm simulated network. */
public final class Replicas {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final long SECOND = SimulatedCluster.SECOND;

  public final Simulation simulation = new Simulation(1, SimulationOptions.calm());
  final List<ReplicatedCollections> all = new ArrayList<>();
  private final List<SimulatedGroup> groups = new ArrayList<>();

  public Replicas(int count) {
    List<String> names = NAMES.subList(0, count);
    for (String name : names) {
      simulation.addNode(
          name,
          node -> {
            SimulatedGroup group = new SimulatedGroup(node, MembershipOptions.defaults(), names);
            CollectionsOptions defaults = CollectionsOptions.defaults();
            groups.add(group);
            all.add(
                ReplicatedCollections.open(
                    group,
                    new CollectionsOptions(
                        Duration.ofMillis(100),
                        Duration.ofSeconds(5),
                        Duration.ZERO,
                        defaults.clockSkewMax(),
                        defaults.logBytesMax(),
                        defaults.messageBytesMax(),
                        simulation.random(),
                        node.time())));
          });
    }
    boolean met =
        simulation.runUntil(
            () -> groups.stream().allMatch(g -> g.view().members().size() == count), 10 * SECOND);
    assertThat(met).as("the members found each other").isTrue();
  }

  public ReplicatedCollections get(int index) {
    return all.get(index);
  }

  /** The index of the first member of the view, who gives out the elements of queues. */
  public int first() {
    for (int index = 0; index < groups.size(); index++) {
      SimulatedGroup group = groups.get(index);
      if (group.view().members().getFirst().id() == group.self().id()) {
        return index;
      }
    }
    throw new IllegalStateException("the first member is none of these");
  }

  SimulatedGroup group(int index) {
    return groups.get(index);
  }

  /** Lets messages arrive until all replicas have applied the same updates. */
  public void converge() {
    ReplicaState first = all.getFirst().state();
    boolean converged =
        simulation.runUntil(
            () ->
                all.stream()
                    .map(replica -> replica.state())
                    .allMatch(state ->
                        state.applied().covers(first.applied())
                            && first.applied().covers(state.applied())
                            && state.fingerprint() == first.fingerprint()),
            10 * SECOND);
    assertThat(converged).as("the replicas converged").isTrue();
  }
}
