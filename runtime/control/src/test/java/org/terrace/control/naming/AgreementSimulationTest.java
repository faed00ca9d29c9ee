package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Several proposers change one name at once, while naming processes crash and messages get lost.
 */
class AgreementSimulationTest {
  private static final int HISTORIES = 500;
  private static final int HISTORIES_TO_FIND = 1_000;
  private static final long SECOND = 1_000_000_000;
  private static final List<String> NAMING = List.of("n1", "n2", "n3");
  private static final List<String> PROPOSERS = List.of("p1", "p2", "p3");

  private final Map<Long, Registration> chosen = new HashMap<>();
  private final List<Registration> acknowledged = new ArrayList<>();

  @Test
  void ofEachVersionOneIsChosenAndNoneAcknowledgedIsLost() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES)) {
      chosen.clear();
      acknowledged.clear();
      run(seed, (simulation, node) -> {});
    }
  }

  @Test
  void theLossOfOneDiskAfterAnotherForgetsNothing() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES)) {
      chosen.clear();
      acknowledged.clear();
      run(seed, (simulation, node) -> SimulatedNaming.loseDisk(node));
    }
  }

  @Test
  void aProcessThatVotesAfterItForgotIsCaught() {
    long first = Seeds.next("aProcessThatVotesAfterItForgotIsCaught");
    assertThatThrownBy(
            () -> {
              for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
                chosen.clear();
                acknowledged.clear();
                run(seed, (simulation, node) -> SimulatedNaming.forget(node));
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  /** Strikes one naming process now and again, as long as all of them vote. */
  private static void strike(
      Simulation simulation, BiConsumer<Simulation, SimulatedNode> loss, long endNanos) {
    simulation.schedule(
        simulation.random().nextLong(SECOND / 2),
        () -> {
          List<SimulatedNode> naming =
              simulation.nodes().stream().filter(node -> NAMING.contains(node.name())).toList();
          if (naming.stream().allMatch(SimulatedNaming::isAdmitted)) {
            loss.accept(simulation, naming.get(simulation.random().nextInt(naming.size())));
          }
          if (simulation.nowNanos() < endNanos) {
            strike(simulation, loss, endNanos);
          }
        });
  }

  private void run(long seed, BiConsumer<Simulation, SimulatedNode> loss) {
    Simulation simulation =
        new Simulation(seed, SimulationOptions.swarm(Seeds.generator(seed ^ 1)));
    Map<String, Registration> learned = new HashMap<>();
    for (String name : NAMING) {
      simulation.addNode(
          name,
          SimulatedNaming.program(
              NAMING,
              List.of(),
              (node, value) -> {
                learned.put(node, value);
                see(value, seed);
              }));
    }
    PROPOSERS.forEach(name -> simulation.addNode(name, node -> new Proposer(node, seed).next()));
    FaultPlan.swarm(simulation.random()).unleash(simulation, 2 * SECOND);
    strike(simulation, loss, simulation.nowNanos() + 2 * SECOND);
    simulation.runFor(2 * SECOND);
    simulation.setLossProbability(0);
    long before = chosen.size();
    simulation.runFor(2 * SECOND);

    for (Registration value : acknowledged) {
      assertThat(chosen).as("seed %d", seed).containsEntry(value.version(), value);
    }
    assertThat(chosen.size())
        .as("goes on after the faults, seed %d", seed)
        .isGreaterThan((int) before);
    long newest = chosen.keySet().stream().mapToLong(version -> version).max().orElse(0);
    assertThat(learned.values())
        .as("all naming processes have caught up, seed %d", seed)
        .hasSize(NAMING.size())
        .allMatch(value -> value.version() >= newest - 3);
  }

  private void see(Registration value, long seed) {
    Registration other = chosen.putIfAbsent(value.version(), value);
    if (other != null) {
      assertThat(value).as("version chosen once, seed %d", seed).isEqualTo(other);
    }
  }

  /** Tries to put itself first, again and again. */
  private final class Proposer {
    private final SimulatedNode node;
    private final SimulatedRegistrar registrar;
    private final long seed;

    Proposer(SimulatedNode node, long seed) {
      this.node = node;
      this.seed = seed;
      this.registrar = new SimulatedRegistrar(node, NAMING);
      node.onMessage((from, bytes) -> registrar.receive(from, bytes));
    }

    void next() {
      registrar.read("service", this::change);
    }

    private void change(Registrar.Result present) {
      long version =
          switch (present) {
            case Registrar.Result.Present(Registration value) -> value.version();
            case Registrar.Result.Absent() -> 0;
            case Registrar.Result.Unknown() -> -1;
          };
      if (version < 0) {
        next();
        return;
      }
      String replica = node.name() + "-" + node.simulation().random().nextInt(1_000_000);
      Endpoint endpoint = new Endpoint(replica, "terrace", "127.0.0.1", 1, "");
      Registration wanted =
          new Registration(
              new ServiceReference(
                  "service", Style.WARM_PASSIVE, version + 1, version + 1, List.of(endpoint)),
              1,
              1);
      Consumer<Registrar.Result> answer =
          result -> {
            if (result instanceof Registrar.Result.Present(Registration value)) {
              see(value, seed);
              if (value.equals(wanted)) {
                acknowledged.add(value);
              }
            }
            node.after(node.simulation().random().nextLong(SECOND / 5), this::next);
          };
      registrar.change(wanted, answer);
    }
  }
}
