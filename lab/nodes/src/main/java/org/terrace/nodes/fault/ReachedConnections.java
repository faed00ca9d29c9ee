package org.terrace.nodes.fault;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.terrace.nodes.OpenConnections.Connection;

/**
 * A fault of all packets of an address, with the connections of the server that it concerns when it
 * begins and when it ends, and those at other addresses, which go on as if there were none.
 * Confined to one thread at a time.
 */
public final class ReachedConnections implements Hold {
  /** The fact that tells how many of the server's connections it did not concern, and one. */
  public static final String UNREACHED = "unreachedConnections";

  /** The fact that tells how many it concerned, of one moment. */
  public static final String REACHED = "reachedConnections";

  private final InetAddress address;
  private final Supplier<List<Connection>> connections;
  private final Hold hold;
  private final Set<String> unreached = new TreeSet<>();
  private long reached;

  /**
   * A fault that has not begun.
   *
   * @param connections gives those of the server at the moment
   */
  public ReachedConnections(String address, Supplier<List<Connection>> connections, Hold hold) {
    this.address = InetAddress.ofLiteral(address);
    this.connections = connections;
    this.hold = hold;
  }

  private void look() {
    long now = 0;
    for (Connection connection : connections.get()) {
      if (connection.isAt(address)) {
        now++;
      } else {
        unreached.add(connection.toString());
      }
    }
    reached = Math.max(reached, now);
  }

  @Override
  public void begin() {
    hold.begin();
    look();
  }

  @Override
  public Map<String, String> end() {
    Map<String, String> facts;
    try {
      look();
    } finally {
      facts = new HashMap<>(hold.end());
    }
    facts.put(REACHED, Long.toString(reached));
    unreached.stream()
        .findFirst()
        .ifPresent(one -> facts.put(UNREACHED, unreached.size() + ", such as " + one));
    return facts;
  }
}
