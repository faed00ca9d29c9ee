package org.terrace.testing.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.core.TimeSource;

/**
 * One machine of a {@link Simulation}: it can crash (losing all but its disk), restart, pause (as a
 * stopped process or a long collection does) and have a wall clock that is off. Confined to the
 * thread of the simulation.
 */
public final class SimulatedNode {
  /** The program of a node: called at its first start and after each restart. */
  @FunctionalInterface
  public interface Program {
    /** Starts the program on the node. */
    void start(SimulatedNode node);
  }

  /** A receiver of messages. */
  @FunctionalInterface
  public interface Receiver {
    /** Takes one message; the array belongs to the receiver alone only if it copies it. */
    void receive(String from, byte[] message);
  }

  /** The most messages that wait for a paused node, as in a socket's buffer; more are lost. */
  private static final int PAUSED_MESSAGES_MAX = 256;

  /** The wall clock of every simulation starts here: the first second of 2026. */
  private static final long EPOCH_ORIGIN_NANOS = 1_767_225_600_000_000_000L;

  private final Simulation simulation;
  private final String name;
  private final Program program;
  private final Map<String, byte[]> disk = new TreeMap<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private long skewNanos;
  private int waitingMessages;
  private int incarnation;
  private boolean running;
  private boolean paused;
  private Receiver receiver = (from, message) -> {};
  private final TimeSource time = new NodeTime();

  SimulatedNode(Simulation simulation, String name, long skewNanos, Program program) {
    this.simulation = simulation;
    this.name = name;
    this.skewNanos = skewNanos;
    this.program = program;
  }

  /** The name, which is the node's address too. */
  public String name() {
    return name;
  }

  /** The clocks of this node: the monotonic one is true, the wall clock is off by its skew. */
  public TimeSource time() {
    return time;
  }

  /** The content that survives a crash. */
  public Map<String, byte[]> disk() {
    return disk;
  }

  /** The world that this node is part of. */
  public Simulation simulation() {
    return simulation;
  }

  /** Whether the node has not crashed. */
  public boolean isRunning() {
    return running;
  }

  /** Whether the node stands still. */
  public boolean isPaused() {
    return paused;
  }

  /** Steps the wall clock. */
  public void shiftClock(long nanos) {
    skewNanos += nanos;
  }

  /** Sets what is done with messages, until the next crash. */
  public void onMessage(Receiver newReceiver) {
    receiver = newReceiver;
  }

  /** Hands a message to the network, unless this node has crashed. */
  public void send(String to, byte[] message) {
    if (running) {
      simulation.transmit(this, to, message);
    }
  }

  /** Runs the task on this node after the delay, unless it crashes before. */
  public void after(long delayNanos, Runnable task) {
    int scheduledIn = incarnation;
    simulation.schedule(
        delayNanos,
        () -> {
          if (running && incarnation == scheduledIn) {
            runOrWait(task);
          }
        });
  }

  /** Runs the task on this node again and again, until it crashes. */
  public void every(long periodNanos, Runnable task) {
    if (periodNanos <= 0) {
      throw new IllegalArgumentException("a period is positive: " + periodNanos);
    }
    after(
        periodNanos,
        () -> {
          task.run();
          every(periodNanos, task);
        });
  }

  /** Stops the node at once; all but its disk is lost. */
  public void crash() {
    running = false;
    paused = false;
    incarnation++;
    waiting.clear();
    waitingMessages = 0;
    receiver = (from, message) -> {};
  }

  /** Starts the program anew after a crash. */
  public void restart() {
    if (!running) {
      boot();
    }
  }

  /** Freezes the node: its timers and messages wait. */
  public void pause() {
    paused = running;
  }

  /** Lets a paused node go on, with what has waited. */
  public void resume() {
    paused = false;
    while (!paused && !waiting.isEmpty()) {
      waiting.removeFirst().run();
    }
  }

  void boot() {
    running = true;
    incarnation++;
    program.start(this);
  }

  boolean deliver(String from, byte[] message) {
    if (!running) {
      return false;
    }
    if (!paused) {
      receiver.receive(from, message);
      return true;
    }
    if (waitingMessages == PAUSED_MESSAGES_MAX) {
      return false;
    }
    waitingMessages++;
    waiting.addLast(() -> {
      waitingMessages--;
      receiver.receive(from, message);
    });
    return true;
  }

  private void runOrWait(Runnable task) {
    if (paused) {
      waiting.addLast(task);
    } else {
      task.run();
    }
  }

  private final class NodeTime implements TimeSource {
    @Override
    public long epochNanos() {
      return EPOCH_ORIGIN_NANOS + simulation.nowNanos() + skewNanos;
    }

    @Override
    public long elapsedNanos() {
      return simulation.nowNanos();
    }
  }
}
