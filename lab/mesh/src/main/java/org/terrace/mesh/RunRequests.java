package org.terrace.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.observation.Event;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.scaling.ClassOutcome;

/**
 * The requests of a run, counted by their classes: those that ended in it, and those that began
 * before its end and never ended. Response times are from the moment at which a request was to be
 * sent.
 *
 * <p>A user who hangs sends nothing more, and would be one failure among the many answers of those
 * who do not. A request without an end therefore counts as often as its user would have asked while
 * it waited: the time that it waited in the run by the time that users took for each request that
 * ended. The shares of errors and of answers in time are then shares of the users' time.
 *
 * <p>Linear in the requests. Confined to one thread.
 */
final class RunRequests {
  private final RequestTable requests;
  private final Event run;
  private final int users;

  /** The requests of one class while they are counted. */
  private static final class Tally {
    private final LatencyCounts latency = new LatencyCounts();
    private long count;
    private long errors;
  }

  /**
   * The requests of a run.
   *
   * @param users the users of a closed load; 0 for an open one, whose requests wait for no other
   */
  RunRequests(RequestTable requests, Event run, int users) {
    this.requests = requests;
    this.run = run;
    this.users = users;
  }

  /** The outcome of each class, by name. */
  List<ClassOutcome> classes() {
    double cycleNanos = cycleNanos();
    Map<String, Tally> tallies = new TreeMap<>();
    for (int row = 0; row < requests.size(); row++) {
      boolean endless = isEndless(row);
      if (!endless && !endsInRun(row)) {
        continue;
      }
      String name = requests.requestClasses().get(requests.requestClass(row));
      Tally tally = tallies.computeIfAbsent(name, _ -> new Tally());
      long times = endless ? Math.max(1, Math.round(waitedNanos(row) / cycleNanos)) : 1;
      tally.count += times;
      if (requests.outcome(row) == Outcome.OK) {
        tally.latency.add(requests.departureNanos(row) - requests.intendedNanos(row));
      } else {
        tally.errors += times;
      }
    }
    List<ClassOutcome> classes = new ArrayList<>();
    tallies.forEach((name, tally) ->
        classes.add(new ClassOutcome(name, tally.count, tally.errors, tally.latency.histogram())));
    return classes;
  }

  /**
   * The time of a user for each request that ended: no less than these took, and infinite where
   * nobody waits for an answer before the next request, or none came.
   */
  private double cycleNanos() {
    double waited = 0;
    double answering = 0;
    long ended = 0;
    for (int row = 0; row < requests.size(); row++) {
      if (isEndless(row)) {
        waited += waitedNanos(row);
      } else if (endsInRun(row)) {
        answering += requests.departureNanos(row) - requests.arrivalNanos(row);
        ended++;
      }
    }
    if (users == 0 || ended == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double usersNanos = (double) users * (run.endNanos() - run.startNanos());
    return Math.max(usersNanos - waited, Math.max(1, answering)) / ended;
  }

  private boolean endsInRun(int row) {
    return requests.outcome(row) != Outcome.UNFINISHED
        && requests.departureNanos(row) >= run.startNanos()
        && requests.departureNanos(row) < run.endNanos();
  }

  /** Whether a request had no end though it began before that of the run. */
  private boolean isEndless(int row) {
    return requests.outcome(row) == Outcome.UNFINISHED
        && requests.arrivalNanos(row) < run.endNanos()
        && requests.departureNanos(row) >= run.startNanos();
  }

  private double waitedNanos(int row) {
    return run.endNanos() - Math.max(run.startNanos(), requests.arrivalNanos(row));
  }
}
