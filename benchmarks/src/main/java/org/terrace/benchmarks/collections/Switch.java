package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.process.ShortCommand;

/**
 * A network of its own for three servers: a namespace each, joined by a bridge in a fourth, so that
 * one can be cut off as by a pulled cable. Needs the right to make namespaces. Confined to one
 * thread.
 */
final class Switch implements AutoCloseable {
  private static final String NETWORK = "10.127.27.";

  private final String hub = "terrace-bench-" + ProcessHandle.current().pid();
  private final List<String> made = new ArrayList<>();

  private Switch() {}

  /** Makes the network. */
  static Switch make() throws IOException {
    Switch made = new Switch();
    try {
      made.build();
      return made;
    } catch (IOException e) {
      made.close();
      throw new IOException("network namespaces are not permitted: " + e.getMessage(), e);
    }
  }

  private void build() throws IOException {
    namespace(hub);
    ip("-n", hub, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0");
    ip("-n", hub, "link", "set", "bridge", "up");
    for (int i = 0; i < Place.SERVERS; i++) {
      String server = name(i);
      namespace(server);
      ip("-n", hub, "link", "add", port(i), "type", "veth", "peer", "name", "eth", "netns", server);
      ip("-n", hub, "link", "set", port(i), "master", "bridge", "up");
      ip("-n", server, "link", "set", "lo", "up");
      ip("-n", server, "address", "add", host(i) + "/24", "dev", "eth");
      ip("-n", server, "link", "set", "eth", "up");
      ip("-n", server, "route", "add", "224.0.0.0/4", "dev", "eth");
    }
  }

  private void namespace(String name) throws IOException {
    ip("netns", "add", name);
    made.add(name);
  }

  private String name(int server) {
    return hub + "-" + server;
  }

  private static String port(int server) {
    return "port" + server;
  }

  /** The address of a server. */
  static String host(int server) {
    return NETWORK + (server + 1);
  }

  /** The words that go before a command that is to run at a server. */
  List<String> at(int server) {
    return List.of("ip", "netns", "exec", name(server));
  }

  /** Pulls a server's cable. */
  void cut(int server) throws IOException {
    ip("-n", hub, "link", "set", port(server), "nomaster");
  }

  /** Puts it back. */
  void heal(int server) throws IOException {
    ip("-n", hub, "link", "set", port(server), "master", "bridge");
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    ShortCommand.Result result = ShortCommand.of(command).run();
    if (!result.isSuccess()) {
      throw new IOException(
          "%s: %s; %s"
              .formatted(String.join(" ", command), result.failure(), result.output().strip()));
    }
  }

  @Override
  public void close() {
    for (String name : made) {
      try {
        ip("netns", "delete", name);
      } catch (IOException e) {
        System.err.println("a network namespace is left: " + e.getMessage());
      }
    }
  }
}
