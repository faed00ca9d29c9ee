package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The three server processes of one subject. Confined to one thread. */
final class Cluster implements AutoCloseable {
  /** Number of servers. */
  static final int SERVERS = 3;

  /** Where all processes listen. */
  static final String HOST = "127.0.0.1";

  private final Subject subject;
  private final Path log;
  private final List<Integer> ports;
  private final List<Integer> frontEndPorts;
  private final int multicastPort;
  private final List<Node> nodes = new ArrayList<>();

  private Cluster(Subject subject, Path log) throws IOException {
    this.subject = subject;
    this.log = log;
    List<Integer> free = freePorts(2 * SERVERS + 1);
    this.ports = free.subList(0, SERVERS);
    this.frontEndPorts = free.subList(SERVERS, 2 * SERVERS);
    this.multicastPort = free.getLast();
  }

  /** Starts that many servers one after another and waits until they see each other. */
  static Cluster start(Subject subject, int servers, Path log) throws IOException {
    Cluster cluster = new Cluster(subject, log);
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
            subject, new Place(nodes.size(), HOST, ports, frontEndPorts, multicastPort), log);
    nodes.add(node);
    node.answer();
    return node;
  }

  /** Waits until all servers see each other. */
  void join() throws IOException {
    for (Node node : nodes) {
      node.ask("join " + nodes.size());
    }
  }

  Node node(int index) {
    return nodes.get(index);
  }

  /** Processor time of all servers. */
  Duration cpu() {
    return nodes.stream().map(Node::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
