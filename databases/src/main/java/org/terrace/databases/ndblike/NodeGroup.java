package org.terrace.databases.ndblike;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A node group: data nodes that each have all rows of the group. Immutable.
 *
 * @param number its number, counted from one
 * @param nodes its data nodes' places, {@value #REPLICAS}
 */
record NodeGroup(int number, List<Place> nodes) {
  /** The data nodes of a group, as the source's {@code NumOfReplicas}. */
  static final int REPLICAS = 2;

  /** Ports from here on are given to those who ask for any: a group's own may be taken by then. */
  private static final int FIRST_EPHEMERAL_PORT = 32_768;

  /** The ports behind a node's that the group uses. */
  private static final int OWN_PORTS = 3;

  /** The place at which a server listens for SQL. */
  record Place(String address, int port) {
    static Place of(String text) {
      int colon = text.lastIndexOf(':');
      return new Place(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    /** The port at which members of its group talk. */
    int groupPort() {
      return port + 1;
    }

    /** The port at which it takes what it missed. */
    int catchUpPort() {
      return port + 2;
    }
  }

  /** Copies and checks the nodes. */
  NodeGroup {
    nodes = List.copyOf(nodes);
    if (nodes.size() != REPLICAS) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "A node group has %d data nodes; expected %d.".formatted(nodes.size(), REPLICAS));
    }
    for (Place node : nodes) {
      if (node.port() + OWN_PORTS >= FIRST_EPHEMERAL_PORT) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "A data node's port is %d; expected one below %d, as it takes %d more behind it."
                .formatted(node.port(), FIRST_EPHEMERAL_PORT - OWN_PORTS, OWN_PORTS));
      }
    }
  }

  /** The groups of data nodes, in the order of their places. */
  static List<NodeGroup> of(List<String> dataNodes) {
    List<NodeGroup> groups = new ArrayList<>();
    for (int first = 0; first < dataNodes.size(); first += REPLICAS) {
      List<String> nodes = dataNodes.subList(first, Math.min(first + REPLICAS, dataNodes.size()));
      groups.add(new NodeGroup(groups.size() + 1, nodes.stream().map(Place::of).toList()));
    }
    return groups;
  }

  /**
   * The state that a member of a new group is told to have: both begin with the same empty
   * database, the first member's start is all that the group did before the second joins, and so
   * there is nothing to be copied. A node that joins at any other moment lacks something, and ends.
   *
   * @param first whether it makes the group
   */
  String state(boolean first) {
    return """
    # GALERA saved state
    version: 2.1
    uuid:    %s
    seqno:   %d
    safe_to_bootstrap: %d
    """
        .formatted(
            UUID.nameUUIDFromBytes(address().getBytes(StandardCharsets.UTF_8)),
            first ? 0 : 1,
            first ? 1 : 0);
  }

  String name() {
    return "group" + number;
  }

  /** The address by which members find the others. */
  String address() {
    return nodes.stream()
        .map(node -> node.address() + ":" + node.groupPort())
        .collect(Collectors.joining(",", "gcomm://", ""));
  }
}
