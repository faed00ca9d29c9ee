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
  private static final double MEBIBYTE = 1 << 20;
  private static final Duration DEATH_WITHIN = Duration.ofSeconds(5);

  /** The kinds of events of what a server does by itself when it is told to, by the word for it. */
  private static final Map<String, String> ORDERED =
      Map.of(
          "gc-pressure",
          EventKinds.FAULT_GC_PRESSURE,
          "cpu",
          EventKinds.FAULT_CPU,
          "lock-convoy",
          EventKinds.FAULT_LOCK_CONVOY,
          "row-lock",
          EventKinds.FAULT_ROW_LOCK,
          "checkpoint",
          EventKinds.FAULT_CHECKPOINT,
          "dirty-pages",
          EventKinds.FAULT_DIRTY_PAGES);

  /** Something that a server was told to do. */
  private record Ordered(String server, String kind) {}

  /** Something that holds a server from outside, and since when. */
  private record Held(Hold hold, long sinceNanos) {}

  /** A moment of the run and what is done then. */
  private record Action(long atNanos, Runnable deed) {}

  private final FaultTargets targets;
  private final TimeSource time;
  private final List<Action> actions = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Long> stoppedSince = new LinkedHashMap<>();
  private final Map<Fault, Held> held = new LinkedHashMap<>();
  private final Map<Ordered, Long> orderedSince = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed;
  private long originNanos;

  /**
   * An injector that has not started.
   *
   * @param targets what the faults strike
   */
  public FaultInjector(List<Fault> faults, FaultTargets targets, TimeSource time) {
    this.targets = targets;
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
      case Fault.Kill kill ->
          actions.add(
              new Action(
                  at,
                  () -> {
                    kill(server, at);
                    kill.restart().ifPresent(after -> later(after, () -> targets.restart(server)));
                  }));
      case Fault.Pause pause ->
          actions.add(
              new Action(
                  at,
                  () -> {
                    stop(server);
                    later(pause.stopped(), () -> goOn(server));
                  }));
      case Fault.GarbagePressure pressure ->
          order(
              fault,
              at,
              seconds(pressure.lasting())
                  + (pressure.livePart() == Fault.GarbagePressure.USUAL_PART
                      ? ""
                      : " " + pressure.livePart()));
      case Fault.ProcessorLoad load -> order(fault, at, "" + seconds(load.lasting()));
      case Fault.LockConvoy convoy -> order(fault, at, "" + seconds(convoy.lasting()));
      case Fault.RowLock locked -> order(fault, at, "" + seconds(locked.lasting()));
      case Fault.Checkpoint checkpoint -> order(fault, at, "" + checkpoint.dirtyBytes() / MEBIBYTE);
      case Fault.SynDrop drop -> hold(fault, EventKinds.FAULT_SYN_DROP, at, drop.lasting());
      case Fault.Network network ->
          hold(fault, network.effect().eventKind(), at, network.lasting());
      case Fault.ProcessorPressure pressure ->
          hold(fault, EventKinds.FAULT_CPU, at, pressure.lasting());
      case Fault.SlowDisk slow -> hold(fault, EventKinds.FAULT_SLOW_DISK, at, slow.lasting());
      case Fault.Burst _ -> {
        // The users' own process has it in its plan, and records it.
      }
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

  private void run(long origin) {
    lock.lock();
    try {
      originNanos = origin;
      while (!actions.isEmpty()) {
        Action action = actions.getFirst();
        long wait = originNanos + action.atNanos() - time.elapsedNanos();
        while (wait > 0 && !closed) {
          wait = closing.awaitNanos(wait);
        }
        if (closed) {
          return;
        }
        actions.removeFirst();
        perform(action);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Plans what ends a fault from when it struck, which takes its time: it lasts as long as asked.
   */
  private void later(Duration after, Runnable deed) {
    actions.add(new Action(time.elapsedNanos() - originNanos + after.toNanos(), deed));
    actions.sort(Comparator.comparingLong(Action::atNanos));
  }

  private void perform(Action action) {
    try {
      action.deed().run();
    } catch (TerraceException e) {
      problems.add(e.getMessage());
    }
  }

  private void kill(String server, long plannedNanos) {
    Node node = targets.node(server);
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
    if (targets.node(server).signal(Signal.STOP)) {
      stoppedSince.put(server, sent);
    } else {
      problems.add("the pause of " + server + " found it dead already");
    }
  }

  private void goOn(String server) {
    Long since = stoppedSince.remove(server);
    if (since != null) {
      targets.node(server).signal(Signal.CONT);
      events.add(
          new Event(
              server, EventKinds.FAULT_PAUSE, since, Math.max(since, time.epochNanos()), Map.of()));
    }
  }

  private static double seconds(Duration lasting) {
    return lasting.toNanos() / 1e9;
  }

  private void order(Fault fault, long at, String amount) {
    String line = fault.word() + ' ' + amount;
    actions.add(
        new Action(
            at,
            () -> {
              if (!targets.breaker(fault).writeLine(line)) {
                problems.add(fault.server() + " did not take the request for " + fault.word());
              }
            }));
  }

  private void hold(Fault fault, String kind, long at, Duration lasting) {
    actions.add(
        new Action(
            at,
            () -> {
              Hold hold = targets.hold(fault);
              hold.begin();
              held.put(fault, new Held(hold, time.epochNanos()));
              later(lasting, () -> release(fault, kind));
            }));
  }

  private void release(Fault fault, String kind) {
    Held one = held.remove(fault);
    if (one != null) {
      Map<String, String> details = one.hold().end();
      long now = Math.max(one.sinceNanos(), time.epochNanos());
      events.add(new Event(fault.server(), kind, one.sinceNanos(), now, details));
    }
  }

  /**
   * Takes a line that a server printed: {@code gc-pressure start EPOCHNANOS} and {@code gc-pressure
   * end EPOCHNANOS} tell when garbage was really made, {@code cpu} when its processors were kept
   * busy, {@code lock-convoy} when its pages had to pass one lock, {@code row-lock} when rows of it
   * were held, {@code dirty-pages} and {@code checkpoint} when it was given pages to write and when
   * it wrote them; others are ignored.
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
      for (String server : List.copyOf(stoppedSince.keySet())) {
        perform(new Action(0, () -> goOn(server)));
      }
      for (Fault fault : List.copyOf(held.keySet())) {
        perform(new Action(0, () -> release(fault, "fault-" + fault.word())));
      }
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
