package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.HandleInternals;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedQueue;
import org.terrace.collections.SetOptions;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.structures.Ticket;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * A queue with givers and takers everywhere: nothing is lost, and as long as no view changes each
 * element goes to one taker.
 */
public final class QueueScenario extends Scenario {
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final int DRAINING_ROUNDS_MAX = 600;
  private static final long DRAINING_NANOS = 20 * MILLI;

  /** A process that takes. */
  private record Taker(
      ReplicatedCollections replica, ReplicatedQueue<String> queue, List<Ticket> asked) {}

  private final Map<String, Taker> takers = new HashMap<>();
  private final Map<String, Dot> offers = new LinkedHashMap<>();
  private final Map<String, List<String>> taken = new TreeMap<>();
  private long viewChanges;

  QueueScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  @Override
  FaultPlan faults() {
    return planted || random.nextBoolean() ? FaultPlan.none() : FaultPlan.swarm(random);
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    ReplicatedQueue<String> queue = site.collections().queue("queue", LOCAL);
    takers.put(node.name(), new Taker(site.collections(), queue, new ArrayList<>()));
    site.group().watch(view -> viewChanges++);
    node.every(10 * MILLI, () -> collect(node.name()));
  }

  @Override
  void begin() {
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    viewChanges = 0;
  }

  @Override
  void call(Site site, String name, int number) {
    Taker taker = takers.get(name);
    if (random.nextInt(3) > 0) {
      String element = "e" + number;
      taker.queue.add(element);
      offers.put(element, lastDot(site));
    } else {
      poll(name, taker);
    }
  }

  /**
   * Polls as a caller would, but for the waiting; with the planted fault without asking anybody.
   */
  private void poll(String name, Taker taker) {
    if (planted) {
      String first = taker.queue.peek();
      if (first != null) {
        taker.queue.remove(first);
        note(name, first);
      }
      return;
    }
    HandleInternals.Taken<String> now = HandleInternals.takeNow(taker.replica, taker.queue);
    if (now != null) {
      note(name, now.element());
    } else {
      taker.asked.add(HandleInternals.ask(taker.replica, taker.queue));
    }
  }

  private void collect(String name) {
    Taker taker = takers.get(name);
    taker.asked.removeIf(turn -> {
      HandleInternals.Taken<String> result =
          HandleInternals.result(taker.replica, taker.queue, turn);
      if (result != null) {
        note(name, result.element());
      }
      return result != null;
    });
  }

  private void note(String name, @Nullable String element) {
    if (element != null) {
      taken.computeIfAbsent(element, absent -> new ArrayList<>()).add(name);
    }
  }

  /** All take until nothing is left. */
  @Override
  void end() {
    for (int i = 0; i < DRAINING_ROUNDS_MAX && isSomethingLeft(); i++) {
      takers.forEach((name, taker) -> {
        if (taker.asked.isEmpty()) {
          poll(name, taker);
        }
      });
      cluster.simulation.runFor(DRAINING_NANOS);
    }
    cluster.simulation.runFor(SECOND);
  }

  private boolean isSomethingLeft() {
    return takers.values().stream()
        .anyMatch(taker -> !taker.queue.isEmpty() || !taker.asked.isEmpty());
  }

  @Override
  void judge() {
    takers.forEach((name, taker) ->
        check(taker.queue.isEmpty(), "{} has left in the queue {}", name, taker.queue));
    offers.forEach((element, dot) -> {
      List<String> by = taken.getOrDefault(element, List.of());
      check(!by.isEmpty() || !cluster.isApplied(dot), "{} was lost from the queue", element);
      check(
          by.size() <= 1 || viewChanges > 0,
          "{} was taken by {} though no view changed",
          element,
          by);
    });
  }
}
