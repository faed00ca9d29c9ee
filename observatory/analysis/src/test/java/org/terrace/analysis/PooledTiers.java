package org.terrace.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * An application server with a pool of connections to a database that is stopped now and then, as
 * an observation: of each message it is known who held it up.
 */
final class PooledTiers {
  static final String APPLICATION = "app1";
  static final String DATABASE = "database1";
  static final long START = Stations.START;

  /**
   * The size and pace of both.
   *
   * @param pool connections to the database
   * @param processors steps of requests that the application server does at once
   * @param calls calls of the database that a request makes
   * @param perSecond requests a second
   * @param stepNanos the mean time of a step of the application server
   * @param callNanos the mean time of a call in the database
   * @param cleansUp whether each connection is put back by a call after the answer
   * @param crowd connections that were used at once once, at the beginning
   */
  record Size(
      int pool,
      int processors,
      int calls,
      int perSecond,
      long stepNanos,
      long callNanos,
      boolean cleansUp,
      int crowd) {}

  private static final int SECONDS = 20;
  private static final long END = START + SECONDS * Stations.SECONDS;

  private final Size size;
  private final RandomGenerator random;
  private final List<Event> stops;
  private final RequestTable.Builder rows = new RequestTable.Builder();
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::timeNanos).thenComparingLong(Due::order));
  private final Deque<Job> runnable = new ArrayDeque<>();
  private final Deque<Job> unconnected = new ArrayDeque<>();
  private int busy;
  private int connections;
  private long ordered;

  private record Due(long timeNanos, long order, Runnable what) {}

  /** A request in the application server. */
  private static final class Job {
    final long arrivedNanos;
    int callsLeft;
    boolean isConnected;
    boolean isAnswered;

    Job(long arrivedNanos, int callsLeft) {
      this.arrivedNanos = arrivedNanos;
      this.callsLeft = callsLeft;
    }
  }

  PooledTiers(Size size, List<Event> stops, RandomGenerator random) {
    this.size = size;
    this.stops = stops;
    this.random = random;
    connections = size.pool;
  }

  /** Stops of the database of a length, two seconds apart. */
  static List<Event> stops(long lengthNanos) {
    List<Event> stops = new ArrayList<>();
    for (long at = START + 5 * Stations.SECONDS; at < END - 4 * Stations.SECONDS; ) {
      stops.add(new Event(DATABASE, EventKinds.FAULT_PAUSE, at, at + lengthNanos, Map.of()));
      at += lengthNanos + 3 * Stations.SECONDS;
    }
    return stops;
  }

  Observation run() {
    for (int i = 0; i < size.crowd; i++) {
      long sent = START + Stations.MILLIS;
      row(DATABASE, "SELECT ?", APPLICATION, sent, sent + 5 * Stations.MILLIS + i);
    }
    long gap = Stations.SECONDS / size.perSecond;
    long at = START + 100 * Stations.MILLIS;
    while (at < END - Stations.SECONDS) {
      long arrival = at;
      after(
          arrival,
          () -> {
            runnable.add(new Job(arrival, size.calls));
            dispatch(arrival);
          });
      at += Math.max(1, exponential(gap));
    }
    while (!due.isEmpty()) {
      due.remove().what.run();
    }
    return Stations.observation(
        List.of(
            new Server(APPLICATION, "app", List.of()), new Server(DATABASE, "database", List.of())),
        rows.build(),
        stops,
        START,
        END);
  }

  private long exponential(long meanNanos) {
    return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
  }

  private void after(long timeNanos, Runnable what) {
    due.add(new Due(timeNanos, ordered++, what));
  }

  private void row(String server, String requestClass, String client, long from, long to) {
    rows.accept(
        new Request(server, requestClass, client, from, from, to, 100, 1_000, Outcome.OK, 1));
  }

  /** Gives processors to what can go on. */
  private void dispatch(long now) {
    while (busy < size.processors && !runnable.isEmpty()) {
      Job job = runnable.remove();
      busy++;
      long done = now + 20_000 + exponential(size.stepNanos);
      after(
          done,
          () -> {
            busy--;
            stepped(job, done);
            dispatch(done);
          });
    }
  }

  private void stepped(Job job, long now) {
    if (job.callsLeft == 0) {
      if (!job.isAnswered) {
        job.isAnswered = true;
        row(APPLICATION, "GET /page", "web1", job.arrivedNanos, now);
        if (size.cleansUp && job.isConnected) {
          call(job, "ROLLBACK", now + 10_000);
          return;
        }
      }
      putBack(now);
    } else if (job.isConnected) {
      call(job, "SELECT ?", now);
    } else if (connections > 0) {
      connections--;
      job.isConnected = true;
      call(job, "SELECT ?", now);
    } else {
      unconnected.add(job);
    }
  }

  private void putBack(long now) {
    connections++;
    if (!unconnected.isEmpty()) {
      runnable.add(unconnected.remove());
      dispatch(now);
    }
  }

  private void call(Job job, String statement, long now) {
    boolean ofRequest = !job.isAnswered;
    long answered = answered(now + 20_000 + exponential(size.callNanos), now);
    row(DATABASE, statement, APPLICATION, now, answered);
    after(
        answered,
        () -> {
          if (ofRequest) {
            job.callsLeft--;
            runnable.add(job);
            dispatch(answered);
          } else {
            putBack(answered);
          }
        });
  }

  /** The time at which a call is answered, which would be one but for the stops. */
  private long answered(long usualNanos, long sentNanos) {
    long answered = usualNanos;
    for (Event stop : stops) {
      if (answered > stop.startNanos() && sentNanos < stop.endNanos()) {
        long done = Math.max(0, stop.startNanos() - sentNanos);
        answered = stop.endNanos() + Math.max(20_000, usualNanos - sentNanos - done);
      }
    }
    return answered;
  }
}
