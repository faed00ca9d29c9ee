package org.terrace.groups.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;
import org.terrace.groups.MembershipOptions;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

class SimulatedGroupTest extends GroupConformance {
  private static final long WAIT_NANOS = 10_000_000_000L;
  private static final List<String> NAMES = List.of("m0", "m1", "m2", "m3");

  private final Simulation simulation = new Simulation(1, SimulationOptions.calm());

  @Override
  protected Group open(String member) {
    AtomicReference<Group> opened = new AtomicReference<>();
    simulation.addNode(
        member, node -> opened.set(new SimulatedGroup(node, MembershipOptions.defaults(), NAMES)));
    return opened.get();
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    assertThat(simulation.runUntil(condition, WAIT_NANOS)).as(what).isTrue();
  }
}
