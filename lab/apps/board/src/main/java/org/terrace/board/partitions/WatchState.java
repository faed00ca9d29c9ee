package org.terrace.board.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The decisions of the watch over data nodes: from what the looks found, which node serves each
 * partition. Nothing in it asks, tells or waits. Immutable.
 *
 * <p>Nodes and partitions are counted from zero; partition <i>n</i> is at home at node <i>n</i>,
 * and the nodes of a group, which have the same rows, stand side by side. These hold whatever the
 * looks find:
 *
 * <ul>
 *   <li>a partition is given to a node only at a look that found it to be a member of the majority
 *       that has all of the group's rows, knows of all changes of members that its partner knew of,
 *       and is of the process that was a member from the beginning: a node that is started anew and
 *       alone with itself gets none, nor does one that slept and does not know that it was put out;
 *   <li>where neither node of a group can serve, partitions stay where they are, and the next that
 *       answers gets them, as often as that happens;
 *   <li>that rows may be gone is said only when both nodes refused connections at {@value
 *       #REFUSALS_UNTIL_ENDED} looks in a row, which neither silence nor a lost majority is.
 * </ul>
 */
record WatchState(List<WatchedNode> nodes, List<Place> places) {
  /** The looks of about ten seconds. */
  static final int REFUSALS_UNTIL_ENDED = 20;

  /**
   * The node that serves a partition.
   *
   * @param untold the SQL nodes that may still ask the other
   */
  record Place(int node, Set<Integer> untold) {
    Place {
      untold = Set.copyOf(untold);
    }
  }

  /** A partition's new place, of which an SQL node is to be told; again, until it was. */
  record Order(int sqlNode, int partition, int node) {}

  /**
   * A look's consequences.
   *
   * @param findings sentences for whoever reads along, in terms of {@link Finding}
   */
  record Step(WatchState state, List<Order> orders, List<Finding> findings) {}

  /** A change that is told to whoever reads along, about a node or its whole group. */
  record Finding(Kind kind, int node) {
    enum Kind {
      NOBODY_SERVES,
      BOTH_HAVE_ENDED,
      SERVES_AGAIN,
      STARTED_ANEW
    }
  }

  /** Copies the lists. */
  WatchState {
    nodes = List.copyOf(nodes);
    places = List.copyOf(places);
  }

  /** All partitions at home, and nothing seen so far. */
  static WatchState ofNodes(int count) {
    return new WatchState(
        IntStream.range(0, count).mapToObj(node -> WatchedNode.UNSEEN).toList(),
        IntStream.range(0, count).mapToObj(node -> new Place(node, Set.of())).toList());
  }

  /**
   * Partitions where the SQL nodes ask for them, and nothing seen so far; one that asks elsewhere
   * than the first is to be told. A partition that is asked for at no node of its group is at home.
   *
   * @param asked for each SQL node, the node that it asks for each partition, negative if that is
   *     no data node; an empty list for an SQL node that did not tell
   */
  static WatchState ofPlaces(int count, List<List<Integer>> asked) {
    List<Place> places = new ArrayList<>();
    for (int each = 0; each < count; each++) {
      int partition = each;
      int serving =
          asked.stream()
              .filter(nodes -> !nodes.isEmpty())
              .map(nodes -> nodes.get(partition))
              .filter(node -> node == partition || node == partner(partition))
              .findFirst()
              .orElse(partition);
      Set<Integer> untold = new TreeSet<>();
      for (int sqlNode = 0; sqlNode < asked.size(); sqlNode++) {
        List<Integer> nodes = asked.get(sqlNode);
        if (nodes.isEmpty() || nodes.get(partition) != serving) {
          untold.add(sqlNode);
        }
      }
      places.add(new Place(serving, untold));
    }
    return new WatchState(ofNodes(count).nodes(), places);
  }

  static int partner(int node) {
    return node % 2 == 0 ? node + 1 : node - 1;
  }

  /** The state after a look at each node, and what is to be done about it. */
  Step after(List<? extends Sight> sights, int sqlNodes) {
    List<WatchedNode> seen = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      seen.add(nodes.get(node).after(sights.get(node)));
    }
    List<Place> chosen = new ArrayList<>();
    List<Order> orders = new ArrayList<>();
    for (int partition = 0; partition < places.size(); partition++) {
      Place place = choose(partition, seen, sqlNodes);
      chosen.add(place);
      for (int sqlNode : new TreeSet<>(place.untold())) {
        orders.add(new Order(sqlNode, partition, place.node()));
      }
    }
    WatchState next = new WatchState(seen, chosen);
    return new Step(next, orders, next.findingsSince(this));
  }

  private Place choose(int partition, List<WatchedNode> seen, int sqlNodes) {
    Place place = places.get(partition);
    int other = partner(place.node());
    WatchedNode serving = seen.get(place.node());
    WatchedNode next = seen.get(other);
    boolean isDue = serving.suspected() || (other == partition && next.isSteady());
    if (!isDue || !next.canTakeOver(serving)) {
      return place;
    }
    return new Place(other, Set.copyOf(IntStream.range(0, sqlNodes).boxed().toList()));
  }

  private List<Finding> findingsSince(WatchState before) {
    List<Finding> findings = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      int number = node;
      if (isStartedAnew(node) && !before.isStartedAnew(node)) {
        findings.add(new Finding(Finding.Kind.STARTED_ANEW, node));
      }
      if (before.nodes.get(node).suspected()
          && !nodes.get(node).suspected()
          && before.places.stream().anyMatch(place -> place.node() == number)) {
        findings.add(new Finding(Finding.Kind.SERVES_AGAIN, node));
      }
      if (node > partner(node)) {
        continue;
      }
      if (isWithoutServer(node) && !before.isWithoutServer(node)) {
        findings.add(new Finding(Finding.Kind.NOBODY_SERVES, node));
      }
      if (haveEnded(node) && !before.haveEnded(node)) {
        findings.add(new Finding(Finding.Kind.BOTH_HAVE_ENDED, node));
      }
    }
    return findings;
  }

  private boolean isStartedAnew(int node) {
    return nodes.get(node).last() == Sight.Away.STARTED_ANEW;
  }

  private boolean isWithoutServer(int node) {
    return nodes.get(node).suspected() && nodes.get(partner(node)).suspected();
  }

  private boolean haveEnded(int node) {
    return nodes.get(node).refusals() >= REFUSALS_UNTIL_ENDED
        && nodes.get(partner(node)).refusals() >= REFUSALS_UNTIL_ENDED;
  }

  /** The state after an SQL node was told of a partition's place. */
  WatchState afterTelling(Order order) {
    Place place = places.get(order.partition());
    Set<Integer> untold = new TreeSet<>(place.untold());
    untold.remove(order.sqlNode());
    List<Place> changed = new ArrayList<>(places);
    changed.set(order.partition(), new Place(place.node(), untold));
    return new WatchState(nodes, changed);
  }

  /** Whether all SQL nodes ask for a partition where it is served. */
  boolean isTold(int partition) {
    return places.get(partition).untold().isEmpty();
  }
}
