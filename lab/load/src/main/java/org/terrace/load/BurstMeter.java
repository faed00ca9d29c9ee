package org.terrace.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The meter of what users of a closed load offered in the bursts that were planned as faults. It
 * compares the requests that began in a burst, for each stretch of think time that was to pass in
 * it, with those outside of all: a slow service, whose users wait rather than think, changes
 * neither. All times are in nanoseconds since the start of the ramp-up. Thread-safe.
 */
final class BurstMeter {
  private final PaceClock pace;
  private final List<Stretch> bursts = new ArrayList<>();
  private final Stretch run;

  /** A stretch of the run, and what happened in it. */
  private static final class Stretch {
    private final double from;
    private final double to;
    private double userNanos;
    private long began;

    Stretch(double from, double to) {
      this.from = from;
      this.to = to;
    }

    void add(PaceClock pace, double since, double until, boolean hasBegun) {
      double first = Math.max(from, since);
      double last = Math.min(to, until);
      if (last > first) {
        userNanos += pace.users(last) - pace.users(first);
      }
      began += hasBegun && until >= from && until < to ? 1 : 0;
    }
  }

  /**
   * The requests of a burst.
   *
   * @param began those that began in it after a think time
   * @param expected those that were to, after the think time that users had in it at its pace
   */
  record Offered(long began, double expected) {}

  BurstMeter(LoadPace planned, LoadPlan.Phases phases) {
    this.pace = new PaceClock(planned, phases);
    double from = phases.rampUp().toNanos();
    double end = from + phases.run().toNanos();
    this.run = new Stretch(from, end);
    for (LoadPace.Burst burst : planned.bursts()) {
      if (burst.isFault()) {
        Duration until = burst.at().plus(burst.length());
        bursts.add(new Stretch(from + burst.at().toNanos(), Math.min(end, from + until.toNanos())));
      }
    }
  }

  /**
   * Takes a stretch in which a user thought.
   *
   * @param hasBegun whether a request followed, at its end
   */
  synchronized void thought(double since, double until, boolean hasBegun) {
    if (!bursts.isEmpty()) {
      run.add(pace, since, until, hasBegun);
      bursts.forEach(burst -> burst.add(pace, since, until, hasBegun));
    }
  }

  /** The requests of each burst, in the order of the plan. */
  synchronized List<Offered> offered() {
    double userNanos = run.userNanos - bursts.stream().mapToDouble(each -> each.userNanos).sum();
    long began = run.began - bursts.stream().mapToLong(each -> each.began).sum();
    double perUserNano = userNanos > 0 ? began / userNanos : 0;
    return bursts.stream()
        .map(each -> new Offered(each.began, perUserNano * each.userNanos))
        .toList();
  }
}
