package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.observation.RequestTable;

/**
 * The calls of many transactions of one class laid over one another: calls of the same class that
 * came about in the same way are one node. Confined to one thread.
 */
final class CallAggregate {
  /** Nodes that are kept apart; calls beyond are gathered as other calls of their caller. */
  static final int NODES_MAX = 2_000;

  /** Nodes that are listed, those with most time in all. */
  static final int LISTED_MAX = 40;

  private static final long OTHER = -1;
  private static final double NANOS_PER_MICRO = 1_000;

  private final RequestTable table;
  private final CallTree tree;
  private final ServerGroups groups;

  /** The node of each row that was added; written before it is read. */
  private final int[] nodeOfRow;

  private final List<Node> nodes = new ArrayList<>();
  private int transactions;
  private double allNanos;

  CallAggregate(RequestTable table, CallTree tree, ServerGroups groups, int[] nodeOfRow) {
    this.table = table;
    this.tree = tree;
    this.groups = groups;
    this.nodeOfRow = nodeOfRow;
  }

  private static final class Node {
    private final int place;
    private final int parent;
    private final int requestClass;
    private final Map<Long, Node> calls = new HashMap<>();
    private final Set<Integer> servers = new HashSet<>();
    private int count;
    private int present;
    private int lastTransaction = -1;
    private double residence;
    private double self;
    private double critical;

    Node(int place, int parent, int requestClass) {
      this.place = place;
      this.parent = parent;
      this.requestClass = requestClass;
    }
  }

  /** Adds a transaction by its first request. */
  void add(int first, CriticalPath path) {
    allNanos += table.departureNanos(first) - table.arrivalNanos(first);
    if (nodes.isEmpty()) {
      nodes.add(new Node(0, -1, table.requestClass(first)));
    }
    IntStack open = new IntStack();
    nodeOfRow[first] = 0;
    open.push(first);
    while (!open.isEmpty()) {
      int row = open.pop();
      Node node = nodes.get(nodeOfRow[row]);
      node.count++;
      node.present += node.lastTransaction == transactions ? 0 : 1;
      node.lastTransaction = transactions;
      node.servers.add(table.server(row));
      node.residence += table.departureNanos(row) - table.arrivalNanos(row);
      node.self += path.selfNanos(row);
      for (int i = tree.from[row]; i < tree.from[row + 1]; i++) {
        int call = tree.calls[i];
        nodeOfRow[call] = called(node, call).place;
        open.push(call);
      }
    }
    transactions++;
  }

  private Node called(Node node, int call) {
    boolean full = nodes.size() >= NODES_MAX;
    long key = groups.key(table, call);
    Node known = node.calls.get(key);
    if (known != null) {
      return known;
    }
    // Other calls of other calls are gathered in one node, so that the tree stays small.
    if (full && node.requestClass == OTHER) {
      return node;
    }
    return node.calls.computeIfAbsent(
        full ? OTHER : key,
        each -> {
          Node fresh =
              new Node(nodes.size(), node.place, full ? (int) OTHER : table.requestClass(call));
          nodes.add(fresh);
          return fresh;
        });
  }

  /** Adds a stretch of a critical path to the node of a row that was added. */
  void critical(int row, long nanos) {
    nodes.get(nodeOfRow[row]).critical += nanos;
  }

  /** The number of nodes. */
  int size() {
    return nodes.size();
  }

  /** The nodes with most time and all above them, in the order of a walk. */
  List<ClassProfile.Call> listed() {
    Set<Integer> kept = new HashSet<>();
    List<Node> byTime = new ArrayList<>(nodes);
    byTime.sort(Comparator.comparingDouble((Node node) -> node.residence).reversed());
    for (Node node : byTime) {
      List<Integer> path = new ArrayList<>();
      for (int at = node.place; at >= 0 && !kept.contains(at); at = nodes.get(at).parent) {
        path.add(at);
      }
      if (kept.size() + path.size() <= LISTED_MAX) {
        kept.addAll(path);
      }
    }
    List<ClassProfile.Call> listed = new ArrayList<>();
    if (!nodes.isEmpty()) {
      walk(nodes.getFirst(), -1, kept, listed);
    }
    return listed;
  }

  private void walk(Node node, int parent, Set<Integer> kept, List<ClassProfile.Call> listed) {
    int place = listed.size();
    listed.add(named(node, parent));
    node.calls.values().stream()
        .filter(call -> kept.contains(call.place))
        .sorted(
            Comparator.comparingDouble((Node call) -> call.residence)
                .reversed()
                .thenComparingInt(call -> call.place))
        .forEach(call -> walk(call, place, kept, listed));
  }

  private ClassProfile.Call named(Node node, int parent) {
    TreeSet<String> servers = new TreeSet<>();
    node.servers.forEach(server -> servers.add(table.servers().get(server)));
    return new ClassProfile.Call(
        parent,
        new ArrayList<>(servers),
        node.requestClass == OTHER ? "" : table.requestClasses().get(node.requestClass),
        node.count,
        (double) node.count / transactions,
        (double) node.present / transactions,
        node.residence / node.count / NANOS_PER_MICRO,
        node.self / transactions / NANOS_PER_MICRO,
        node.critical / Math.max(1, allNanos));
  }
}
