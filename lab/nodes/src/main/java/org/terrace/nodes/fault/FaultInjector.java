package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Exit;
import org.terrace.nodes.Node;
import org.terrace.nodes.Signal;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The injector of a trial's faults: it breaks servers when their time has come, and records when it
 * really happened. What it stopped it lets go on when it is closed. One thread of its own strikes;
 * all methods are thread-safe.
 */
public final class FaultInjector implements AutoCloseable {
  private static final Duration DEATH_WITHIN = Duration.ofSeconds(5);

  /** The kinds of events of what a server does by itself when it is told to, by the word for it. */
  private static final Map<String, String> ORDERED =
      Map.of(
          "gc-pressure",
          EventKinds.FAULT_GC_PRESSURE,
          "cpu",
          EventKinds.FAULT_CPU,
          "lock-convoy",
          EventKinds.FAULT_LOCK_CONVOY);

  /** Something that a server was told to do. */
  private record Ordered(String server, String kind) {}

  /** A moment of the run and what is done then. */
  private record Action(long atNanos, Runnable deed) {}

  private final Function<String, Node> nodes;
  private final Consumer<String> restart;
  private final TimeSource time;
  private final List<Action> actions = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Long> stoppedSince = new LinkedHashMap<>();
  private final Map<Ordered, Long> orderedSince = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed;

  /**
   * An injector that has not started.
   *
   * @param nodes the process that plays a server now, by the server's name
   * @param restart starts a server again, without waiting until it is ready
   */
  public FaultInjector(
      List<Fault> faults, Function<String, Node> nodes, Consumer<String> restart, TimeSource time) {
    this.nodes = nodes;
    this.restart = restart;
    this.time = time;
    for (Fault fault : faults) {
      for (Duration at : fault.schedule().moments()) {
        plan(fault, at.toNanos());
      }
    }
    actions.sort(Comparator.comparingLong(Action::atNanos));
  }

  private void plan(Fault fault, long at) {
    String server = fault.server();
    switch (fault) {
      case Fault.Kill kill -> {
        actions.add(new Action(at, () -> kill(server, at)));
        kill.restart()
            .ifPresent(after ->
                actions.add(new Action(at + after.toNanos(), () -> restart.accept(server))));
      }
      case Fault.Pause pause -> {
        actions.add(new Action(at, () -> stop(server)));
        actions.add(new Action(at + pause.stopped().toNanos(), () -> goOn(server)));
      }
      case Fault.GarbagePressure pressure ->
          actions.add(new Action(at, () -> order(server, fault.word(), pressure.lasting())));
      case Fault.ProcessorLoad load ->
          actions.add(new Action(at, () -> order(server, fault.word(), load.lasting())));
      case Fault.LockConvoy convoy ->
          actions.add(new Action(at, () -> order(server, fault.word(), convoy.lasting())));
    }
  }

  /**
   * Starts to strike.
   *
   * @param runStartNanos the start of the run, in nanoseconds since the Unix epoch, from which the
   *     times of the faults count
   */
  public void start(long runStartNanos) {
    long origin = time.elapsedNanos() + (runStartNanos - time.epochNanos());
    Thread.ofPlatform().daemon().name("faults").start(() -> run(origin));
  }

  private void run(long originNanos) {
    lock.lock();
    try {
      for (Action action : actions) {
        long wait = originNanos + action.atNanos() - time.elapsedNanos();
        while (wait > 0 && !closed) {
          wait = closing.awaitNanos(wait);
        }
        if (closed) {
          return;
        }
        perform(action);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void perform(Action action) {
    try {
      action.deed().run();
    } catch (TerraceException e) {
      problems.add(e.getMessage());
    }
  }

  private void kill(String server, long plannedNanos) {
    Node node = nodes.apply(server);
    if (!node.isAlive()) {
      problems.add("the kill of " + server + " found it dead already");
      return;
    }
    long sent = time.epochNanos();
    try {
      node.kill();
      Exit exit = node.exit().get(DEATH_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      Map<String, String> details =
          Map.of(
              "pid", Long.toString(node.pid()),
              "plannedNanosIntoRun", Long.toString(plannedNanos));
      events.add(
          new Event(
              server, EventKinds.FAULT_KILL, sent, Math.max(sent, exit.timeNanos()), details));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      problems.add(server + " was sent SIGKILL but did not end");
    }
  }

  private void stop(String server) {
    long sent = time.epochNanos();
    if (nodes.apply(server).signal(Signal.STOP)) {
      stoppedSince.put(server, sent);
    } else {
      problems.add("the pause of " + server + " found it dead already");
    }
  }

  private void goOn(String server) {
    Long since = stoppedSince.remove(server);
    if (since != null) {
      nodes.apply(server).signal(Signal.CONT);
      events.add(
          new Event(
              server, EventKinds.FAULT_PAUSE, since, Math.max(since, time.epochNanos()), Map.of()));
    }
  }

  private void order(String server, String word, Duration lasting) {
    double seconds = lasting.toNanos() / 1e9;
    if (!nodes.apply(server).writeLine(word + ' ' + seconds)) {
      problems.add(server + " did not take the request for " + word);
    }
  }

  /**
   * Takes a line that a server printed: {@code gc-pressure start EPOCHNANOS} and {@code gc-pressure
   * end EPOCHNANOS} tell when garbage was really made, {@code cpu} when its processors were kept
   * busy, {@code lock-convoy} when its pages had to pass one lock; others are ignored.
   */
  public void serverPrinted(String server, String line) {
    String[] words = line.split(" ", -1);
    String kind = words.length == 3 ? ORDERED.get(words[0]) : null;
    if (kind == null) {
      return;
    }
    Ordered ordered = new Ordered(server, kind);
    lock.lock();
    try {
      long when = Long.parseLong(words[2]);
      if (words[1].equals("start")) {
        orderedSince.put(ordered, when);
      } else {
        Long since = orderedSince.remove(ordered);
        if (since != null) {
          events.add(new Event(server, kind, since, Math.max(since, when), Map.of()));
        }
      }
    } catch (NumberFormatException e) {
      problems.add(server + " printed '" + line + "', expected a time in nanoseconds");
    } finally {
      lock.unlock();
    }
  }

  /** The events so far, in the order of its ends. */
  public List<Event> events() {
    lock.lock();
    try {
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }

  /** All that was to happen and did not, in sentences. */
  public List<String> problems() {
    lock.lock();
    try {
      return List.copyOf(problems);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    heal();
  }

  /** Strikes no more, and lets every stopped server go on. */
  public void heal() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
      List.copyOf(stoppedSince.keySet()).forEach(this::goOn);
      orderedSince.forEach((ordered, since) ->
          events.add(
              new Event(
                  ordered.server(),
                  ordered.kind(),
                  since,
                  Math.max(since, time.epochNanos()),
                  Map.of("end", "not seen"))));
      orderedSince.clear();
    } finally {
      lock.unlock();
    }
  }
}
