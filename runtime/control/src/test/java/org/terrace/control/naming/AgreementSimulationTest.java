package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Several proposers change one name at once, while naming processes crash and messages get lost.
 */
class AgreementSimulationTest {
  private static final int HISTORIES = Depth.of(250, 25);
  private static final int HISTORIES_OF_FIVE = Depth.of(100, 10);
  private static final int HISTORIES_TO_FIND = 1_000;
  private static final long SECOND = 1_000_000_000;
  private static final List<String> THREE = List.of("n1", "n2", "n3");
  private static final List<String> FIVE = List.of("n1", "n2", "n3", "n4", "n5");
  private static final List<String> PROPOSERS = List.of("p1", "p2", "p3");

  private final Map<Long, Registration> chosen = new HashMap<>();
  private final List<Registration> acknowledged = new ArrayList<>();

  /** The naming processes, the network, and what becomes of their disks. */
  private record Setting(
      List<String> naming,
      Function<RandomGenerator, SimulationOptions> weather,
      @Nullable Consumer<SimulatedNode> loss) {
    static Setting of(List<String> naming) {
      return new Setting(naming, SimulationOptions::swarm, null);
    }

    Setting withWeather(Function<RandomGenerator, SimulationOptions> chosen) {
      return new Setting(naming, chosen, loss);
    }

    Setting withLosses(Consumer<SimulatedNode> chosen) {
      return new Setting(naming, weather, chosen);
    }
  }

  /** A network in which much takes so long that it comes to whoever has forgotten since. */
  private static SimulationOptions late(RandomGenerator random) {
    return new SimulationOptions(
        random.nextDouble(0.1),
        random.nextDouble(0.3),
        0.1 + random.nextDouble(0.4),
        50_000,
        random.nextLong(1_000_000, 6_000_000),
        0);
  }

  @Test
  void ofEachVersionOneIsChosenAndNoneAcknowledgedIsLost() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES)) {
      run(seed, Setting.of(THREE));
    }
  }

  @Test
  void theLossOfOneDiskAfterAnotherForgetsNothing() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES)) {
      run(seed, Setting.of(THREE).withLosses(SimulatedNaming::loseDisk));
    }
  }

  @Test
  void theLossOfTwoDisksOfFiveCloseTogetherForgetsNothing() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES_OF_FIVE)) {
      run(seed, Setting.of(FIVE).withLosses(SimulatedNaming::loseDisk));
    }
  }

  @Test
  void theLossOfTwoDisksOfFiveWhileMuchIsLateForgetsNothing() {
    for (long seed : Seeds.histories("AgreementSimulationTest", HISTORIES_OF_FIVE)) {
      run(
          seed,
          Setting.of(FIVE)
              .withWeather(AgreementSimulationTest::late)
              .withLosses(SimulatedNaming::loseDisk));
    }
  }

  @Test
  void aProcessThatVotesAfterItForgotIsCaught() {
    assertCaught(
        "aProcessThatVotesAfterItForgotIsCaught",
        Setting.of(THREE).withLosses(SimulatedNaming::forget));
  }

  private void assertCaught(String name, Setting setting) {
    long first = Seeds.next(name);
    assertThatThrownBy(
            () -> {
              for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
                run(seed, setting);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("version chosen once");
  }

  private void run(long seed, Setting setting) {
    chosen.clear();
    acknowledged.clear();
    List<String> naming = setting.naming();
    Simulation simulation =
        new Simulation(seed, setting.weather().apply(Seeds.generator(seed ^ 1)));
    Map<String, Registration> learned = new HashMap<>();
    for (String name : naming) {
      simulation.addNode(
          name,
          SimulatedNaming.program(
              naming,
              List.of(),
              (node, value) -> {
                learned.put(node, value);
                see(value, seed);
              }));
    }
    PROPOSERS.forEach(
        name -> simulation.addNode(name, node -> new Proposer(node, setting, seed).next()));
    FaultPlan.swarm(simulation.random()).unleash(simulation, 2 * SECOND);
    if (setting.loss() != null) {
      DiskLosses.unleash(simulation, naming, setting.loss(), 2 * SECOND);
    }
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
        .hasSize(naming.size())
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

    Proposer(SimulatedNode node, Setting setting, long seed) {
      this.node = node;
      this.seed = seed;
      this.registrar = new SimulatedRegistrar(node, setting.naming());
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
      registrar.change(wanted, wanted.version() - 1, answer);
    }
  }
}
