package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.Place;

/** The three server processes of one subject. Confined to one thread. */
final class Cluster implements AutoCloseable {
  /** Terrace's servers have addresses of their own; most peers want one of an interface. */
  private static final String TERRACE = "127.27.0.";

  /** The address at which all other processes listen. */
  static final String HOST = "127.0.0.1";

  private final Subject subject;
  private final Processes processes;
  private final List<Integer> ports;
  private final List<Integer> frontEndPorts;
  private final int multicastPort;
  private final Backing backing;
  private final @Nullable Switch network;
  private final List<Node> nodes = new ArrayList<>();

  private Cluster(Subject subject, @Nullable Switch network, Processes processes)
      throws IOException {
    this.subject = subject;
    this.network = network;
    this.processes = processes;
    List<Integer> free = freePorts(3 * Place.SERVERS + 1);
    this.ports = free.subList(0, Place.SERVERS);
    this.frontEndPorts = free.subList(Place.SERVERS, 2 * Place.SERVERS);
    this.multicastPort = free.getLast();
    List<Integer> backingPorts = free.subList(2 * Place.SERVERS, 3 * Place.SERVERS);
    this.backing =
        switch (subject) {
          case REDIS, REDIS_FAIR_POOL -> Backing.redis(backingPorts, processes);
          case POSTGRESQL -> Backing.postgres(backingPorts.getFirst());
          default -> Backing.none();
        };
  }

  /** Starts that many servers one after another and waits until they see each other. */
  static Cluster start(Subject subject, int servers, Processes processes) throws IOException {
    return start(subject, servers, null, processes);
  }

  /** The same in a network of their own. */
  static Cluster start(Subject subject, int servers, @Nullable Switch network, Processes processes)
      throws IOException {
    Cluster cluster = new Cluster(subject, network, processes);
    try {
      for (int i = 0; i < servers; i++) {
        cluster.startNode();
      }
      cluster.join();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.ofLiteral(HOST)));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Starts one more server. */
  Node startNode() throws IOException {
    Node node =
        Node.start(
            subject.name(),
            place(nodes.size()),
            network == null ? List.of() : network.at(nodes.size()),
            processes);
    nodes.add(node);
    node.answer();
    return node;
  }

  /** Starts a load process, which the caller closes. */
  Node startLoad() throws IOException {
    Node load = Node.start(NodeMain.LOAD, place(Place.SERVERS), List.of(), processes);
    load.answer();
    return load;
  }

  private Place place(int index) {
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < Place.SERVERS; i++) {
      hosts.add(network != null ? Switch.host(i) : subject.isTerrace() ? TERRACE + (i + 1) : HOST);
    }
    return new Place(index, hosts, ports, frontEndPorts, multicastPort, backing.address());
  }

  /** Waits until all servers see each other. */
  void join() throws IOException {
    if (!subject.isDatabase()) {
      for (Node node : nodes) {
        node.ask("join " + nodes.size());
      }
    }
  }

  /** Ends a server as a crash does. */
  void kill(int index) throws IOException {
    nodes.remove(index).kill();
  }

  Node node(int index) {
    return nodes.get(index);
  }

  @Override
  public void close() {
    Node.close(nodes);
    backing.close();
  }
}
