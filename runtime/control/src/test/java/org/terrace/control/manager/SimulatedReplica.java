package org.terrace.control.manager;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.terrace.control.ServiceReference;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.simulation.SimulatedNode;

/** A replica: keeps a connection to every manager, beats, and believes what it is told. */
final class SimulatedReplica {
  private static final long BEAT_NANOS = 20 * SimulatedHost.MILLI;
  private static final long WIRE_NANOS = SimulatedHost.MILLI / 10;

  private final SimulatedHost host;
  private final String name;
  private final Map<String, Integer> connectedTo = new HashMap<>();
  private SimulatedNode node;
  private ServiceReference reference;
  private boolean started;

  SimulatedReplica(SimulatedHost host, String name) {
    this.host = host;
    this.name = name;
  }

  /** A process has one incarnation: what is restarted stays dead. */
  void start(SimulatedNode started) {
    node = started;
    if (this.started) {
      started.crash();
      return;
    }
    this.started = true;
    started.every(BEAT_NANOS, this::beat);
  }

  boolean isAlive() {
    return node.isRunning();
  }

  String name() {
    return name;
  }

  Endpoint endpoint() {
    return new Endpoint(name, "terrace", "127.0.0.1", 1, "");
  }

  boolean believesToBePrimary() {
    return reference != null
        && !reference.endpoints().isEmpty()
        && reference.endpoints().getFirst().replica().equals(name);
  }

  ServiceReference reference() {
    return reference;
  }

  /** Connects to managers that are there, and notices those that came anew. */
  private void beat() {
    for (String name : SimulatedHost.MANAGERS) {
      SimulatedManager manager = host.managers.get(name);
      if (manager == null || !host.node(name).isRunning()) {
        connectedTo.remove(name);
        continue;
      }
      if (!Integer.valueOf(manager.incarnation()).equals(connectedTo.get(name))) {
        connectedTo.put(name, manager.incarnation());
        host.node(name).after(WIRE_NANOS, () -> manager.connected(this));
      }
      long epoch = reference == null ? 0 : reference.epoch();
      node.send(name, Long.toString(epoch).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A manager has ended the connection; the next beat makes another. */
  void disconnected(String manager) {
    node.after(WIRE_NANOS, () -> connectedTo.remove(manager));
  }

  /** Tells the replica, over its connection to a manager. */
  void tell(ServiceReference newer) {
    node.after(
        WIRE_NANOS,
        () -> {
          host.see(newer);
          if (reference == null || newer.version() > reference.version()) {
            reference = newer;
          }
        });
  }

  void askDrain(SimulatedManager manager) {
    node.after(50 * SimulatedHost.MILLI, () -> manager.drained(this));
  }
}
