package org.terrace.control.manager;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.terrace.control.DetectorOptions;
import org.terrace.control.ServiceReference;
import org.terrace.control.naming.Registrar;
import org.terrace.control.naming.Registration;
import org.terrace.control.naming.SimulatedRegistrar;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.simulation.SimulatedNode;

/** One incarnation of a manager on a simulated node. */
final class SimulatedManager {
  private static final long TICK_NANOS = 10 * SimulatedHost.MILLI;

  private final SimulatedHost host;
  private final SimulatedNode node;
  private final int incarnation;
  private final ManagerCore core;
  private final SimulatedRegistrar registrar;
  private final Set<String> connected = new HashSet<>();
  private final Set<String> peers = new HashSet<>();
  private int launches;

  SimulatedManager(SimulatedHost host, SimulatedNode node) {
    this.host = host;
    this.node = node;
    this.incarnation = ++host.incarnations;
    int rank = SimulatedHost.MANAGERS.indexOf(node.name());
    Endpoint self = new Endpoint(node.name() + "-" + incarnation, "manager", "127.0.0.1", 1, "");
    ManagerOptions options =
        new ManagerOptions(
            "managers",
            self,
            "i" + incarnation,
            rank,
            List.of(SimulatedHost.service(host.degree, host.spares)),
            new DetectorOptions(Duration.ofMillis(20), 3, 12, Duration.ofMillis(300), 100),
            Duration.ofNanos(TICK_NANOS),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            true);
    core = new ManagerCore(options, node.time().elapsedNanos());
    registrar = new SimulatedRegistrar(node, SimulatedHost.NAMING);
    node.onMessage(this::receive);
    node.every(TICK_NANOS, this::tick);
  }

  int incarnation() {
    return incarnation;
  }

  ManagerCore core() {
    return core;
  }

  int launches() {
    return launches;
  }

  boolean isLeading() {
    return node.isRunning() && core.isLeading();
  }

  String name() {
    return node.name() + "-" + incarnation;
  }

  private void tick() {
    noticeEnds();
    step(new ManagerEvent.Tick());
    for (String other : SimulatedHost.MANAGERS) {
      if (!other.equals(node.name()) && (node.time().elapsedNanos() / TICK_NANOS) % 2 == 0) {
        node.send(other, Long.toString(core.knownTerm()).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** The kernel resets the connections of a process that has ended. */
  private void noticeEnds() {
    for (String replica : Set.copyOf(connected)) {
      if (!host.node(replica).isRunning()) {
        connected.remove(replica);
        step(new ManagerEvent.ReplicaLost(replica));
      }
    }
    for (String peer : Set.copyOf(peers)) {
      boolean there =
          host.managers.values().stream()
              .anyMatch(other -> other.name().equals(peer) && other.node.isRunning());
      if (!there) {
        peers.remove(peer);
        step(new ManagerEvent.PeerLost(peer));
      }
    }
  }

  private void receive(String from, byte[] bytes) {
    if (SimulatedHost.MANAGERS.contains(from)) {
      String peer = host.managers.get(from).name();
      if (peers.add(peer)) {
        step(new ManagerEvent.PeerUp(peer));
      }
      step(
          new ManagerEvent.PeerBeat(
              peer, Long.parseLong(new String(bytes, StandardCharsets.UTF_8))));
    } else if (SimulatedHost.NAMING.contains(from)) {
      Registration notice = registrar.receive(from, bytes);
      if (notice != null) {
        step(new ManagerEvent.Stored(notice, false));
      }
    } else {
      step(
          new ManagerEvent.ReplicaBeat(
              from, Long.parseLong(new String(bytes, StandardCharsets.UTF_8))));
    }
  }

  void connected(SimulatedReplica replica) {
    if (replica.isAlive()) {
      connected.add(replica.name());
      step(new ManagerEvent.ReplicaUp(SimulatedHost.SERVICE, replica.endpoint(), 1));
    }
  }

  void drained(SimulatedReplica replica) {
    soon(new ManagerEvent.ReplicaDrained(replica.name()));
  }

  /** Takes the event when the node runs. */
  void soon(ManagerEvent event) {
    node.after(0, () -> step(event));
  }

  void step(ManagerEvent event) {
    for (ManagerEffect effect : core.step(node.time().elapsedNanos(), event)) {
      perform(effect);
    }
  }

  private void perform(ManagerEffect effect) {
    switch (effect) {
      case ManagerEffect.Change(Registration wanted, long replaced) ->
          registrar.change(wanted, replaced, result -> answered(wanted.service(), result));
      case ManagerEffect.Read(String name) ->
          registrar.read(name, result -> answered(name, result));
      case ManagerEffect.Announce(Registration chosen) -> registrar.announce(chosen);
      case ManagerEffect.Launch(String service, String replica) -> {
        launches++;
        host.launch(
            replica,
            () -> node.after(0, () -> step(new ManagerEvent.ProcessEnded(service, replica))));
      }
      case ManagerEffect.Kill(String replica, long pid) -> host.kill(replica);
      case ManagerEffect.Disconnect(String replica) ->
          host.replicas.get(replica).disconnected(node.name());
      case ManagerEffect.Tell(String replica, ServiceReference reference) ->
          host.replicas.get(replica).tell(reference);
      case ManagerEffect.AskDrain(String replica) -> host.replicas.get(replica).askDrain(this);
      case ManagerEffect.Journal ignored -> {}
    }
  }

  private void answered(String name, Registrar.Result result) {
    if (result instanceof Registrar.Result.Present(Registration value)
        && name.equals(SimulatedHost.SERVICE)) {
      host.see(value.reference());
    }
    step(
        switch (result) {
          case Registrar.Result.Present(Registration value) -> new ManagerEvent.Stored(value, true);
          case Registrar.Result.Absent() ->
              new ManagerEvent.Absent(name, host.simulation.nowNanos() / SimulatedHost.MILLI);
          case Registrar.Result.Unknown() -> new ManagerEvent.Unanswered(name);
        });
  }
}
