package org.terrace.control.naming;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * A naming process on a simulated node: its acceptor, its disk, its catching up with the others.
 */
public final class SimulatedNaming {
  private static final long CATCH_UP_NANOS = 250_000_000;
  private static final String FILE = "names";

  private final SimulatedNode node;
  private final Acceptor acceptor;
  private final List<String> watchers;
  private final BiConsumer<String, Registration> chosen;

  private SimulatedNaming(
      SimulatedNode node, List<String> watchers, BiConsumer<String, Registration> chosen) {
    this.node = node;
    this.watchers = watchers;
    this.chosen = chosen;
    byte[] stored = node.disk().get(FILE);
    this.acceptor = new Acceptor(stored == null ? Map.of() : NamingStore.decode(stored));
  }

  /**
   * The program of a naming node.
   *
   * @param others the other naming nodes
   * @param watchers the nodes that are told of each value learned
   * @param chosen sees each value learned, with the node's name
   */
  public static SimulatedNode.Program program(
      List<String> others, List<String> watchers, BiConsumer<String, Registration> chosen) {
    return node -> {
      SimulatedNaming naming = new SimulatedNaming(node, watchers, chosen);
      node.onMessage(naming::receive);
      byte[] question = NamingCodec.encode(new NamingMessage.ListAll(0));
      node.every(
          CATCH_UP_NANOS, () -> others.forEach(other -> naming.sendUnlessSelf(other, question)));
    };
  }

  private void sendUnlessSelf(String other, byte[] message) {
    if (!other.equals(node.name())) {
      node.send(other, message);
    }
  }

  private void receive(String from, byte[] bytes) {
    switch (NamingCodec.decode(bytes)) {
      case NamingMessage.Learn(Registration value) -> learn(value);
      case NamingMessage.Listed(long id, List<Registration> values) -> values.forEach(this::learn);
      case NamingMessage message -> {
        NamingMessage reply = acceptor.step(message);
        store();
        if (reply != null) {
          node.send(from, NamingCodec.encode(reply));
        }
      }
    }
  }

  private void learn(Registration value) {
    if (acceptor.learn(value)) {
      chosen.accept(node.name(), value);
      byte[] notice = NamingCodec.encode(new NamingMessage.Learn(value));
      watchers.forEach(watcher -> node.send(watcher, notice));
      store();
    }
  }

  private void store() {
    if (acceptor.takeChanged()) {
      node.disk().put(FILE, NamingStore.encode(acceptor.slots()));
    }
  }
}
