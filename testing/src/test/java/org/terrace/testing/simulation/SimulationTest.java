package org.terrace.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class SimulationTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** Nodes a, b and c, each of which tells the other two what time it is, every millisecond. */
  private static List<String> chatter(long seed, int milliseconds) {
    List<String> history = new ArrayList<>();
    var random = Seeds.generator(seed);
    Simulation simulation = new Simulation(seed, SimulationOptions.swarm(random));
    for (String name : List.of("a", "b", "c")) {
      simulation.addNode(name, node -> startChatting(node, history));
    }
    FaultPlan.swarm(random).unleash(simulation, milliseconds * MILLI);
    simulation.runFor(milliseconds * MILLI);
    return history;
  }

  private static void startChatting(SimulatedNode node, List<String> history) {
    node.onMessage((from, message) ->
        history.add(node.time().elapsedNanos() + from + node.name() + text(message)));
    node.every(
        MILLI,
        () -> {
          for (SimulatedNode other : node.simulation().nodes()) {
            if (other != node) {
              node.send(other.name(), bytes(Long.toString(node.time().epochNanos())));
            }
          }
        });
  }

  @Test
  void oneSeedIsOneHistory() {
    long seed = Seeds.next("oneSeedIsOneHistory");

    assertThat(chatter(seed, 300)).isEqualTo(chatter(seed, 300));
    assertThat(chatter(seed, 300)).isNotEqualTo(chatter(seed + 1, 300));
  }

  @Test
  void aStormOfMessagesEndsTheHistory() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    SimulatedNode a = simulation.addNode("a", node -> {});
    SimulatedNode b = simulation.addNode("b", node -> {});
    for (SimulatedNode node : List.of(a, b)) {
      String other = node == a ? "b" : "a";
      node.onMessage((from, message) -> {
        node.send(other, message);
        node.send(other, message);
      });
    }
    a.send("b", bytes("echoed twice, for ever"));
    simulation.limitMessages(100_000);

    assertThatThrownBy(() -> simulation.runFor(60 * SECOND))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a storm: more than 100000 messages");
  }

  @Test
  void aPartitionStopsMessagesAndHealingLetsThemThrough() {
    List<String> heard = new ArrayList<>();
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    SimulatedNode a = simulation.addNode("a", node -> {});
    simulation.addNode("b", node -> node.onMessage((from, message) -> heard.add(text(message))));

    simulation.partition(Set.of("a"));
    a.send("b", bytes("lost"));
    simulation.runFor(SECOND);
    simulation.heal();
    a.send("b", bytes("heard"));
    simulation.runFor(SECOND);

    assertThat(heard).containsExactly("heard");
    assertThat(simulation.messagesLost()).isEqualTo(1);
  }

  @Test
  void aCrashLosesTimersAndMessagesButNotTheDisk() {
    List<String> starts = new ArrayList<>();
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    SimulatedNode node =
        simulation.addNode(
            "a",
            self -> {
              starts.add("start with " + self.disk().keySet());
              self.disk().put("file" + self.disk().size(), new byte[1]);
              self.after(SECOND, () -> starts.add("timer"));
            });

    simulation.runFor(SECOND / 2);
    node.crash();
    simulation.runFor(SECOND);
    node.restart();
    simulation.runFor(SECOND / 2);

    assertThat(starts).containsExactly("start with []", "start with [file0]");
  }

  @Test
  void aPausedNodeHearsEverythingAfterwards() {
    List<String> heard = new ArrayList<>();
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    SimulatedNode a = simulation.addNode("a", node -> {});
    SimulatedNode b =
        simulation.addNode(
            "b", node -> node.onMessage((from, message) -> heard.add(text(message))));

    b.pause();
    a.send("b", bytes("late"));
    simulation.runFor(SECOND);
    assertThat(heard).isEmpty();
    b.resume();

    assertThat(heard).containsExactly("late");
  }

  @Test
  void lossTakesItsShare() {
    Simulation simulation =
        new Simulation(Seeds.next("lossTakesItsShare"), SimulationOptions.lossy(0.3));
    SimulatedNode a = simulation.addNode("a", node -> {});
    simulation.addNode("b", node -> {});
    for (int i = 0; i < 10_000; i++) {
      a.send("b", bytes("x"));
    }
    simulation.runFor(10 * SECOND);

    assertThat(simulation.messagesLost()).isBetween(2_800L, 3_500L);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
