package org.terrace.nodes;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The established TCP connections between some processes and others, from the socket tables of this
 * network namespace and the open files of the processes. Stateless and thread-safe.
 */
public final class OpenConnections {
  /** An end of a connection. */
  private record Place(InetAddress address, int port) {
    static Place of(String hex) {
      return new Place(SocketOwner.address(hex), SocketOwner.port(hex));
    }

    @Override
    public String toString() {
      return address.getHostAddress() + ":" + port;
    }
  }

  /** A connection, seen from a process that has it. Immutable. */
  public static final class Connection {
    private final Place own;
    private final Place other;

    private Connection(Place own, Place other) {
      this.own = own;
      this.other = other;
    }

    /** Whether one of its ends has an address. */
    public boolean isAt(InetAddress address) {
      return own.address().equals(address) || other.address().equals(address);
    }

    @Override
    public String toString() {
      return own + " to " + other;
    }
  }

  private OpenConnections() {}

  /** The connections of some processes, but among them or with this one, which reads metrics. */
  public static List<Connection> of(List<Long> pids) {
    List<Connection> connections = new ArrayList<>();
    Set<Place> ends = new HashSet<>();
    for (String[] row : SocketOwner.rows(SocketOwner.ESTABLISHED, pids)) {
      Connection connection = new Connection(Place.of(row[1]), Place.of(row[2]));
      connections.add(connection);
      ends.add(connection.own);
    }
    for (String[] row :
        SocketOwner.rows(SocketOwner.ESTABLISHED, List.of(ProcessHandle.current().pid()))) {
      ends.add(Place.of(row[1]));
    }
    connections.removeIf(each -> ends.contains(each.other));
    return List.copyOf(connections);
  }
}
