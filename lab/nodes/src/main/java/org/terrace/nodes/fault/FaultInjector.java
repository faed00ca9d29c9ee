package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Exit;
import org.terrace.nodes.Node;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The injector of a trial's faults: it breaks servers when their time has come, and records when it
 * really happened. What it stopped it lets go on when it is closed. One thread of its own knows the
 * time, and each server is struck by another, so that a host that answers late holds up no other
 * server's faults; no lock is held while a host is asked. All methods are thread-safe.
 */
public final class FaultInjector implements AutoCloseable {
  private static final double MEBIBYTE = 1 << 20;
  private static final Duration DEATH_WITHIN = Duration.ofSeconds(5);

  /** The time that hosts have to end their faults once the run is over. */
  private static final Duration HEALED_WITHIN = Duration.ofSeconds(30);

  /** A kind of hold on a server, of which there is one at a time. */
  private record Grip(String server, String kind) {}

  /**
   * Something that holds a server from outside.
   *
   * @param sinceNanos the moment at which it began
   * @param inForceNanos the moment at which it was in force as a whole
   * @param dueNanos the elapsed time at which it is to end
   * @param isTold whether the journal has it
   */
  private record Held(
      Grip grip,
      Hold hold,
      long sinceNanos,
      long inForceNanos,
      long dueNanos,
      AtomicBoolean isTold) {}

  /** A moment of the run and what is done to a server then. */
  private record Action(long atNanos, String server, Runnable deed) {}

  private final FaultTargets targets;
  private final TimeSource time;
  private final Duration healedWithin;
  private final ServerLanes lanes;
  private final FaultJournal journal;
  private final List<Action> actions = new ArrayList<>();
  private final Pauses pauses;
  private final Restarts restarts;
  private final Map<Grip, Held> held = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private long originNanos;

  /**
   * An injector that has not started.
   *
   * @param targets what the faults strike
   */
  public FaultInjector(List<Fault> faults, FaultTargets targets, TimeSource time) {
    this(faults, targets, time, HEALED_WITHIN);
  }

  /**
   * An injector with a limit for the healing of faults.
   *
   * @param healedWithin the time that hosts have to end their faults once the run is over
   */
  FaultInjector(List<Fault> faults, FaultTargets targets, TimeSource time, Duration healedWithin) {
    this.targets = targets;
    this.time = time;
    this.healedWithin = healedWithin;
    this.lanes = new ServerLanes(time);
    this.journal = new FaultJournal(time);
    this.restarts = new Restarts(targets, journal);
    this.pauses = new Pauses(targets, journal, time, this::later);
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
                  server,
                  () -> {
                    kill(server, at);
                    kill.restart()
                        .map(this::dueIn)
                        .ifPresent(due -> later(due, server, restarts.plan(server, due)));
                  }));
      case Fault.Pause pause ->
          actions.add(new Action(at, server, () -> pauses.begin(server, pause.stopped())));
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
      case Fault.MemoryPressure pressure ->
          hold(fault, EventKinds.FAULT_MEMORY, at, pressure.lasting());
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
      while (!closed) {
        if (actions.isEmpty()) {
          changed.await();
          continue;
        }
        Action next = actions.getFirst();
        long wait = originNanos + next.atNanos() - time.elapsedNanos();
        if (wait > 0) {
          var _ = changed.awaitNanos(wait);
        } else {
          actions.removeFirst();
          lanes.run(next.server(), () -> strike(next.deed()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** The end of what strikes now; a strike takes its time, and lasts as long as asked. */
  private long dueIn(Duration lasting) {
    return time.elapsedNanos() + lasting.toNanos();
  }

  /** Plans a deed, which comes after those that are planned for the same elapsed time. */
  private void later(long dueNanos, String server, Runnable deed) {
    lock.lock();
    try {
      actions.add(new Action(dueNanos - originNanos, server, deed));
      actions.sort(Comparator.comparingLong(Action::atNanos));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void strike(Runnable deed) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
    } finally {
      lock.unlock();
    }
    perform(deed);
  }

  private void perform(Runnable deed) {
    try {
      deed.run();
    } catch (TerraceException e) {
      journal.problem(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Of a server's deeds each is to be done, and a trial that lacks one must not pass.
      journal.problem("a fault failed: " + e);
    }
  }

  private void kill(String server, long plannedNanos) {
    Node node = targets.node(server);
    if (!node.isAlive()) {
      journal.problem("the kill of " + server + " found it dead already");
      return;
    }
    long sent = time.epochNanos();
    try {
      restarts.killed(node);
      node.kill();
      Exit exit = node.exit().get(DEATH_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      Map<String, String> details =
          Map.of(
              "pid", Long.toString(node.pid()),
              "plannedNanosIntoRun", Long.toString(plannedNanos));
      journal.happened(server, EventKinds.FAULT_KILL, sent, exit.timeNanos(), details);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      journal.problem(server + " was sent SIGKILL but did not end");
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
            fault.server(),
            () -> {
              journal.told(fault.server(), fault.word());
              if (!targets.breaker(fault).writeLine(line)) {
                journal.problem(fault.server() + " did not take the request for " + fault.word());
              }
            }));
  }

  private void hold(Fault fault, String kind, long at, Duration lasting) {
    Grip grip = new Grip(fault.server(), kind);
    actions.add(new Action(at, fault.server(), () -> strike(fault, grip, lasting)));
  }

  /** Holds a server; the same on it that is still in force, as it was late, first has its time. */
  private void strike(Fault fault, Grip grip, Duration lasting) {
    Held before = held.get(grip);
    if (before != null && before.dueNanos() > time.elapsedNanos()) {
      later(before.dueNanos(), fault.server(), () -> strike(fault, grip, lasting));
      return;
    }
    // One that did not end when it was to: nobody would end it once it is replaced.
    release(before);
    Hold hold = targets.hold(fault);
    // Its server feels it before it is in force as a whole, and before a host tells that.
    long since = time.epochNanos();
    begin(hold);
    Held one = new Held(grip, hold, since, time.epochNanos(), dueIn(lasting), new AtomicBoolean());
    held.put(grip, one);
    later(one.dueNanos(), fault.server(), () -> release(one));
  }

  /** Begins a hold, of which nothing is left in force where it cannot be begun as a whole. */
  private static void begin(Hold hold) {
    try {
      hold.begin();
    } catch (RuntimeException e) {
      try {
        hold.end();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Ends a hold, which stays to be ended with the trial where that fails. */
  private void release(@Nullable Held one) {
    if (one == null || !one.equals(held.get(one.grip()))) {
      return;
    }
    Map<String, String> facts = FaultJournal.END_NOT_SEEN;
    try {
      facts = one.hold().end();
      held.remove(one.grip());
    } finally {
      tell(one, facts);
    }
  }

  private void tell(Held one, Map<String, String> facts) {
    if (!one.isTold().getAndSet(true)) {
      Map<String, String> details = new HashMap<>(facts);
      details.put("inForceAfterNanos", Long.toString(one.inForceNanos() - one.sinceNanos()));
      Grip grip = one.grip();
      journal.happened(grip.server(), grip.kind(), one.sinceNanos(), time.epochNanos(), details);
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
    journal.serverPrinted(server, line);
  }

  /** The events so far, in the order of its ends. */
  public List<Event> events() {
    return journal.events();
  }

  /** All that was to happen and did not, in sentences. */
  public List<String> problems() {
    return journal.problems();
  }

  /** Heals as {@link #heal} does, but waits for no end that a server is to tell. */
  @Override
  public void close() {
    heal(Duration.ZERO);
  }

  /**
   * Strikes no more, and lets every stopped server go on; what could not be ended when its time had
   * come is tried once more, and stays a problem of the trial. A host that does not answer in time
   * is named among the problems, as its agent heals what it broke when it ends, and so is a killed
   * server whose restart has not begun, and a fault that a server began by an order and does not
   * end in that time.
   */
  public void heal() {
    heal(healedWithin);
  }

  private void heal(Duration within) {
    long endNanos = time.elapsedNanos();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    for (String server : lanes.servers()) {
      lanes.run(server, () -> healServer(server));
    }
    for (String server : lanes.end(healedWithin)) {
      journal.problem(
          "the host of %s did not end its faults within %d ms"
              .formatted(server, healedWithin.toMillis()));
    }
    held.values().forEach(one -> tell(one, FaultJournal.END_NOT_SEEN));
    restarts.end(endNanos, within);
    journal.end(within);
  }

  private void healServer(String server) {
    perform(() -> pauses.end(server));
    held.values().stream()
        .filter(one -> one.grip().server().equals(server))
        .forEach(one -> perform(() -> release(one)));
  }
}
