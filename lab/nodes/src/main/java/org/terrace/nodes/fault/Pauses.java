package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Signal;
import org.terrace.observation.EventKinds;

/**
 * The servers of a trial that are stopped for a time. Thread-safe as long as one thread at a time
 * acts for each server.
 */
final class Pauses {
  private final FaultTargets targets;
  private final FaultJournal journal;
  private final TimeSource time;
  private final Agenda agenda;
  private final Map<String, Stopped> stopped = new ConcurrentHashMap<>();

  /** The deeds that are yet to be done to servers. */
  @FunctionalInterface
  interface Agenda {
    /** Plans a deed, which comes after those that are planned for the same elapsed time. */
    void add(long dueNanos, String server, Runnable deed);
  }

  /**
   * A stop of a server.
   *
   * @param sinceNanos the moment of its beginning
   * @param dueNanos the elapsed time at which the server is to go on
   */
  private record Stopped(long sinceNanos, long dueNanos) {}

  Pauses(FaultTargets targets, FaultJournal journal, TimeSource time, Agenda agenda) {
    this.targets = targets;
    this.journal = journal;
    this.time = time;
    this.agenda = agenda;
  }

  /** Stops a server; one that is still stopped, as its last stop was late, first has that time. */
  void begin(String server, Duration lasting) {
    Stopped before = stopped.get(server);
    if (before != null && before.dueNanos() > time.elapsedNanos()) {
      agenda.add(before.dueNanos(), server, () -> begin(server, lasting));
      return;
    }
    end(server);
    long sent = time.epochNanos();
    // Known before it is stopped, so that it is let go on though the host's answer is lost.
    stopped.put(server, new Stopped(sent, time.elapsedNanos()));
    if (!targets.node(server).signal(Signal.STOP)) {
      stopped.remove(server);
      journal.problem("the pause of " + server + " found it dead already");
      return;
    }
    Stopped one = new Stopped(sent, time.elapsedNanos() + lasting.toNanos());
    stopped.put(server, one);
    agenda.add(one.dueNanos(), server, () -> end(server, one));
  }

  /** Lets a server go on, whenever that was to be; nothing if it is not stopped. */
  void end(String server) {
    Stopped one = stopped.get(server);
    if (one != null) {
      end(server, one);
    }
  }

  private void end(String server, Stopped one) {
    if (!one.equals(stopped.get(server))) {
      return;
    }
    // Noted until it is let go on, so that it is tried again where that is not known to be done.
    targets.node(server).signal(Signal.CONT);
    if (stopped.remove(server, one)) {
      journal.happened(
          server, EventKinds.FAULT_PAUSE, one.sinceNanos(), time.epochNanos(), Map.of());
    }
  }
}
