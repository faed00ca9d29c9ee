package org.terrace.cluster.server.memory;

import java.util.List;
import java.util.TreeSet;

/**
 * The servers that a cluster consists of, after they were changed while it was open.
 *
 * @param number how often they were changed; 0: never, so that a URL's are right
 * @param servers their names
 */
public record ServerList(long number, List<String> servers) {
  /** The servers were never changed. */
  public static final ServerList UNCHANGED = new ServerList(0, List.of());

  /** Copies the list. */
  public ServerList {
    servers = List.copyOf(servers);
  }

  /** The later of two lists. */
  public ServerList later(ServerList other) {
    return other.number > number ? other : this;
  }

  /** Whether these are the servers. */
  public boolean agrees(List<String> named) {
    return number == 0 || new TreeSet<>(named).equals(new TreeSet<>(servers));
  }
}
