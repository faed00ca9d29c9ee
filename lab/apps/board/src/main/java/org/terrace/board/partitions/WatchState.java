package org.terrace.board.partitions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
 *   <li>nobody is told to ask a node before this watch saw it as such a member, with its partner
 *       seen too or known to be away: what SQL nodes ask for when a watch begins is where it goes
 *       on from, and no proof of anything;
 *   <li>an SQL node is told nothing before it said where it asks;
 *   <li>where neither node of a group can serve, partitions stay where they are, and the next that
 *       answers gets them, as often as that happens;
 *   <li>that rows may be gone is said only when both nodes refused connections at {@value
 *       #REFUSALS_UNTIL_ENDED} looks in a row, which neither silence nor a lost majority is.
 * </ul>
 *
 * @param asked for each SQL node, the data node that it asked for each partition when it was first
 *     heard, negative if that is none; an empty list for one that was not heard yet
 */
record WatchState(List<WatchedNode> nodes, List<Place> places, List<List<Integer>> asked) {
  /** The looks of about ten seconds. */
  static final int REFUSALS_UNTIL_ENDED = 20;

  /**
   * The node that serves a partition.
   *
   * @param isConfirmed whether this watch saw that it can; it is where SQL nodes ask, otherwise
   * @param untold the SQL nodes that may still ask the other
   * @param isSaid whether whoever reads along knows it
   */
  record Place(int node, boolean isConfirmed, Set<Integer> untold, boolean isSaid) {
    Place {
      untold = Set.copyOf(untold);
    }

    Place confirmed() {
      return new Place(node, true, untold, isSaid);
    }

    Place told(int sqlNode) {
      Set<Integer> left = new TreeSet<>(untold);
      left.remove(sqlNode);
      return new Place(node, isConfirmed, left, isSaid);
    }

    Place said() {
      return new Place(node, isConfirmed, untold, true);
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
    asked = asked.stream().map(List::copyOf).toList();
  }

  /** The state of a watch that begins: nothing was seen, and nobody heard. */
  static WatchState ofNodes(int count, int sqlNodes) {
    List<List<Integer>> asked = Collections.nCopies(sqlNodes, List.of());
    return new WatchState(
        IntStream.range(0, count).mapToObj(_ -> WatchedNode.UNSEEN).toList(),
        IntStream.range(0, count).mapToObj(partition -> askedFor(partition, asked)).toList(),
        asked);
  }

  /**
   * The place at which SQL nodes ask for a partition, unconfirmed. Where they differ, one was not
   * told of a hand-over or of its end: it is the partner's, from where the partition goes home when
   * its own node has answered for long. One that nobody asks for in its group is at home.
   *
   * <p>Whoever asks the partner is to be told once more: the watch that told it may have ended
   * before all its tables were closed, and those still ask the lost node. Whoever was not closed
   * when a partition went home asks a node that lives, and is closed when that one is lost.
   */
  private static Place askedFor(int partition, List<List<Integer>> asked) {
    int away = partner(partition);
    boolean isAway =
        asked.stream().anyMatch(nodes -> !nodes.isEmpty() && nodes.get(partition) == away);
    Place place =
        new Place(
            isAway ? away : partition,
            false,
            IntStream.range(0, asked.size()).boxed().collect(Collectors.toSet()),
            false);
    for (int sqlNode = 0; sqlNode < asked.size(); sqlNode++) {
      place = heard(place, partition, sqlNode, asked.get(sqlNode));
    }
    return place;
  }

  /**
   * The place of a partition when an SQL node is heard, which need not be told if it is at home.
   */
  private static Place heard(Place place, int partition, int sqlNode, List<Integer> nodes) {
    boolean isRight =
        !nodes.isEmpty() && place.node() == partition && nodes.get(partition) == partition;
    return isRight ? place.told(sqlNode) : place;
  }

  /** The SQL nodes that did not say yet where they ask. */
  List<Integer> unheard() {
    return IntStream.range(0, asked.size())
        .filter(each -> asked.get(each).isEmpty())
        .boxed()
        .toList();
  }

  /**
   * The state after an SQL node said for the first time which data node it asks for each partition.
   */
  WatchState afterHearing(int sqlNode, List<Integer> nodesAsked) {
    List<List<Integer>> heard = new ArrayList<>(asked);
    heard.set(sqlNode, nodesAsked);
    List<Place> changed = new ArrayList<>();
    for (int partition = 0; partition < places.size(); partition++) {
      Place place = places.get(partition);
      changed.add(
          place.isConfirmed()
              ? heard(place, partition, sqlNode, nodesAsked)
              : askedFor(partition, heard));
    }
    return new WatchState(nodes, changed, heard);
  }

  static int partner(int node) {
    return node % 2 == 0 ? node + 1 : node - 1;
  }

  /** The state after a look at each node, and what is to be done about it. */
  Step after(List<? extends Sight> sights) {
    List<WatchedNode> seen = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      seen.add(nodes.get(node).after(sights.get(node)));
    }
    List<Place> chosen = new ArrayList<>();
    List<Order> orders = new ArrayList<>();
    for (int partition = 0; partition < places.size(); partition++) {
      Place place = choose(partition, seen);
      chosen.add(place);
      if (place.isConfirmed() && !seen.get(place.node()).suspected()) {
        for (int sqlNode : new TreeSet<>(place.untold())) {
          if (!asked.get(sqlNode).isEmpty()) {
            orders.add(new Order(sqlNode, partition, place.node()));
          }
        }
      }
    }
    WatchState next = new WatchState(seen, chosen, asked);
    return new Step(next, orders, next.findingsSince(this));
  }

  private Place choose(int partition, List<WatchedNode> seen) {
    Place place = places.get(partition);
    int other = partner(place.node());
    WatchedNode serving = seen.get(place.node());
    WatchedNode next = seen.get(other);
    if (unheard().size() == asked.size()) {
      return place; // the first that is heard says where the partition is
    }
    boolean isDue = serving.suspected() || (other == partition && next.isSteady());
    if (isDue && next.canTakeOver(serving)) {
      return new Place(
          other, true, IntStream.range(0, asked.size()).boxed().collect(Collectors.toSet()), false);
    }
    boolean isKnown = next.isSeen() || next.suspected();
    return isKnown && serving.canTakeOver(next) ? place.confirmed() : place;
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
    List<Place> changed = new ArrayList<>(places);
    changed.set(order.partition(), places.get(order.partition()).told(order.sqlNode()));
    return new WatchState(nodes, changed, asked);
  }

  /** The state after whoever reads along was told of a partition's place. */
  WatchState afterSaying(int partition) {
    List<Place> changed = new ArrayList<>(places);
    changed.set(partition, places.get(partition).said());
    return new WatchState(nodes, changed, asked);
  }

  /**
   * Whether all SQL nodes that were heard ask for a partition where it is served. One that was
   * never heard may be away for good.
   */
  boolean isTold(int partition) {
    return places.get(partition).untold().stream().allMatch(each -> asked.get(each).isEmpty());
  }

  /** Whether whoever reads along does not know of a place of which the SQL nodes were told. */
  boolean isToBeSaid(int partition) {
    return isTold(partition) && !places.get(partition).isSaid();
  }
}
