package org.terrace.control.naming;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * A naming process on a simulated node: its acceptor, its disk, its catching up with the others.
 */
public final class SimulatedNaming {
  private static final long CATCH_UP_NANOS = 250_000_000;
  private static final long ADMISSION_NANOS = 20_000_000;
  private static final String FILE = "names";

  private final SimulatedNode node;
  private final NamingMember member;
  private final List<String> others;
  private final List<String> watchers;
  private final BiConsumer<String, Registration> chosen;

  private SimulatedNaming(
      SimulatedNode node,
      List<String> others,
      List<String> watchers,
      BiConsumer<String, Registration> chosen) {
    this.node = node;
    this.others = others.stream().filter(other -> !other.equals(node.name())).toList();
    this.watchers = watchers;
    this.chosen = chosen;
    byte[] stored = node.disk().get(FILE);
    this.member =
        new NamingMember(
            stored == null
                ? StoredNames.fresh(node.simulation().random().nextLong())
                : NamingStore.decode(stored),
            this.others.size(),
            node.simulation().random().nextLong());
    node.disk().put(FILE, NamingStore.encode(member.stored()));
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
      SimulatedNaming naming = new SimulatedNaming(node, others, watchers, chosen);
      node.onMessage(naming::receive);
      byte[] question = NamingCodec.encode(new NamingMessage.ListAll(0, ""));
      node.every(CATCH_UP_NANOS, () -> naming.others.forEach(other -> node.send(other, question)));
      node.every(ADMISSION_NANOS, naming::askForAdmission);
    };
  }

  private void askForAdmission() {
    for (int other = 0; other < others.size(); other++) {
      ask(other);
    }
  }

  private void ask(int other) {
    NamingMessage question = member.question(other);
    if (question != null) {
      node.send(others.get(other), NamingCodec.encode(question));
    }
  }

  /** Whether the naming process of that node votes, by its disk. */
  static boolean isAdmitted(SimulatedNode node) {
    byte[] stored = node.disk().get(FILE);
    return stored != null && NamingStore.decode(stored).admitted();
  }

  /** The counter below which the naming process of that node takes part in no round. */
  static long floor(SimulatedNode node) {
    byte[] stored = node.disk().get(FILE);
    return stored == null ? 0 : NamingStore.decode(stored).floor();
  }

  /** Whether the naming process of that node has voted in the age that its floor begins. */
  static boolean hasVotedInItsAge(SimulatedNode node) {
    byte[] stored = node.disk().get(FILE);
    return stored != null
        && NamingStore.decode(stored).slots().values().stream()
            .anyMatch(slot -> slot.promised().counter() >= floor(node));
  }

  /** The node loses its disk; it starts again with an empty one. */
  static void loseDisk(SimulatedNode node) {
    node.crash();
    node.disk().remove(FILE);
    node.restart();
  }

  /** The node loses its disk, and is told that it never promised anything. */
  static void forget(SimulatedNode node) {
    node.crash();
    node.disk()
        .put(FILE, NamingStore.encode(new StoredNames(true, 1, Set.of(), 0, new TreeMap<>())));
    node.restart();
  }

  private void receive(String from, byte[] bytes) {
    switch (NamingCodec.decode(bytes)) {
      case NamingMessage.Learn(Registration value) -> tellIf(member.hear(value), value);
      case NamingMessage.Listed(long id, List<Registration> values, String next) -> {
        values.forEach(value -> tellIf(member.learn(value), value));
        if (!next.isEmpty()) {
          node.send(from, NamingCodec.encode(new NamingMessage.ListAll(0, next)));
        }
      }
      case NamingMessage.Standing standing -> {
        int other = others.indexOf(from);
        if (member.heard(other, standing)) {
          ask(other);
        }
        store();
      }
      case NamingMessage message -> {
        NamingMessage reply = member.step(message);
        store();
        if (reply != null) {
          node.send(from, NamingCodec.encode(reply));
        }
      }
    }
  }

  private void tellIf(boolean news, Registration value) {
    if (news) {
      chosen.accept(node.name(), value);
      byte[] notice = NamingCodec.encode(new NamingMessage.Learn(value));
      watchers.forEach(watcher -> node.send(watcher, notice));
      store();
    }
  }

  private void store() {
    if (member.isChanged()) {
      node.disk().put(FILE, NamingStore.encode(member.stored()));
      member.wasStored();
    }
  }
}
