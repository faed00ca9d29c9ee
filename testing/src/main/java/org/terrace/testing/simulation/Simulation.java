package org.terrace.testing.simulation;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.terrace.testing.Seeds;

/**
 * A world of nodes, their clocks, disks and network in one thread and in virtual time: one seed is
 * one history, down to the order of every event.
 *
 * <p>Production code runs in it unchanged, as long as it takes time, network and randomness from
 * what it is given. The design follows FoundationDB's and TigerBeetle's simulators: everything that
 * can go wrong is drawn from the one generator, so a failing seed replays. Confined to one thread.
 */
public final class Simulation {
  /** The most messages that may be on the way at once; more are lost, as in a full switch. */
  private static final int MESSAGES_IN_FLIGHT_MAX = 100_000;

  /** The most messages of a history that sets no limit of its own. */
  private static final long MESSAGES_MAX = 5_000_000;

  private record Event(long timeNanos, long order, Runnable action) {}

  private final long seed;
  private final SimulationOptions options;
  private final RandomGenerator random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::timeNanos).thenComparingLong(Event::order));
  private final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
  private final SimulatedLinks links = new SimulatedLinks();
  private long nowNanos;
  private long eventsScheduled;
  private long messagesSent;
  private long messagesMax = MESSAGES_MAX;
  private long messagesLost;
  private int messagesInFlight;
  private double lossProbability;

  /** A world without nodes, at time 0. */
  public Simulation(long seed, SimulationOptions options) {
    this.seed = seed;
    this.options = options;
    this.random = Seeds.generator(seed);
    this.lossProbability = options.lossProbability();
  }

  /** The seed whose history this is. */
  public long seed() {
    return seed;
  }

  /** The one source of randomness of this world. */
  public RandomGenerator random() {
    return random;
  }

  /** Virtual time since the beginning. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Messages handed to the network so far. */
  public long messagesSent() {
    return messagesSent;
  }

  /** Messages that the network lost so far, by chance, partition, crash or full buffers. */
  public long messagesLost() {
    return messagesLost;
  }

  /** Adds a node, which runs the program now and again after each restart. */
  public SimulatedNode addNode(String name, SimulatedNode.Program program) {
    if (nodes.containsKey(name)) {
      throw new IllegalArgumentException("there is a node named " + name + " already");
    }
    long skewMax = options.clockSkewMaxNanos();
    long skew = skewMax == 0 ? 0 : random.nextLong(-skewMax, skewMax + 1);
    SimulatedNode node = new SimulatedNode(this, name, skew, program);
    nodes.put(name, node);
    node.boot();
    return node;
  }

  /** The nodes in the order in which they were added. */
  public Collection<SimulatedNode> nodes() {
    return nodes.values();
  }

  /** The node of that name. */
  public SimulatedNode node(String name) {
    SimulatedNode node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no node is named " + name);
    }
    return node;
  }

  /** Cuts every link between the given nodes and all others, in both directions. */
  public void partition(Set<String> side) {
    for (String inside : side) {
      for (String outside : nodes.keySet()) {
        if (!side.contains(outside)) {
          links.cut(inside, outside);
          links.cut(outside, inside);
        }
      }
    }
  }

  /** Cuts the link in one direction only. */
  public void cut(String from, String to) {
    links.cut(from, to);
  }

  /** Whether messages can go to and fro between two nodes, as far as the links are concerned. */
  public boolean isConnected(String one, String other) {
    return links.isOpen(one, other) && links.isOpen(other, one);
  }

  /** Mends every link. */
  public void heal() {
    links.mendAll();
  }

  /** Changes the share of messages that are lost from now on. */
  public void setLossProbability(double share) {
    lossProbability = share;
  }

  /** Ends the history with an error if it sends more messages: it is a storm, and may never end. */
  public void limitMessages(long max) {
    messagesMax = max;
  }

  /** Runs the action after the delay, whatever happens to any node. */
  public void schedule(long delayNanos, Runnable action) {
    events.add(new Event(nowNanos + Math.max(0, delayNanos), eventsScheduled++, action));
  }

  /** Runs the next event, or says that there is none. */
  public boolean step() {
    Event event = events.poll();
    if (event == null) {
      return false;
    }
    nowNanos = event.timeNanos();
    event.action().run();
    return true;
  }

  /** Runs for that much virtual time. */
  public void runFor(long durationNanos) {
    long endNanos = nowNanos + durationNanos;
    for (Event next = events.peek();
        next != null && next.timeNanos() <= endNanos;
        next = events.peek()) {
      step();
    }
    nowNanos = endNanos;
  }

  /** Runs until the condition holds, for at most that much virtual time; says whether it holds. */
  public boolean runUntil(BooleanSupplier condition, long durationMaxNanos) {
    long endNanos = nowNanos + durationMaxNanos;
    while (!condition.getAsBoolean()) {
      Event next = events.peek();
      if (next == null || next.timeNanos() > endNanos) {
        nowNanos = endNanos;
        return condition.getAsBoolean();
      }
      step();
    }
    return true;
  }

  void transmit(SimulatedNode from, String to, byte[] message) {
    messagesSent++;
    if (messagesSent > messagesMax) {
      throw new IllegalStateException(
          "a storm: more than %d messages in %d ms of virtual time, seed %d"
              .formatted(messagesMax, nowNanos / 1_000_000, seed));
    }
    int copies = random.nextDouble() < options.duplicateProbability() ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      if (!links.isOpen(from.name(), to)
          || random.nextDouble() < lossProbability
          || messagesInFlight >= MESSAGES_IN_FLIGHT_MAX) {
        messagesLost++;
        continue;
      }
      messagesInFlight++;
      schedule(delayNanos(), () -> arrive(from.name(), to, message));
    }
  }

  private long delayNanos() {
    long spread = options.delayMaxNanos() - options.delayMinNanos();
    long delay = options.delayMinNanos() + (spread == 0 ? 0 : random.nextLong(spread + 1));
    if (random.nextDouble() < options.slowProbability()) {
      delay *= 1 + random.nextInt(SimulationOptions.SLOW_FACTOR);
    }
    return delay;
  }

  private void arrive(String from, String to, byte[] message) {
    messagesInFlight--;
    SimulatedNode node = nodes.get(to);
    if (node == null || !links.isOpen(from, to) || !node.deliver(from, message)) {
      messagesLost++;
    }
  }
}
