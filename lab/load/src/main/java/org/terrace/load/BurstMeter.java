package org.terrace.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.load.mix.ThinkTime;

/**
 * The meter of what users of a closed load offered in the bursts that were planned as faults. It
 * compares the requests that began in a burst with those of the plan: one for each mean think time
 * that was to pass while users thought in it. So a slow service, whose users wait rather than
 * think, changes neither, and nothing outside of the burst is needed. All times are in nanoseconds
 * since the start of the ramp-up. Thread-safe.
 */
final class BurstMeter {
  private final PaceClock pace;
  private final List<Stretch> bursts = new ArrayList<>();

  /** A burst, and what happened in it. */
  private static final class Stretch {
    private final double factor;
    private final double from;
    private final double to;
    private double expected;
    private double edge;
    private long began;

    Stretch(double factor, double from, double to) {
      this.factor = factor;
      this.from = from;
      this.to = to;
    }

    void add(PaceClock pace, double since, double until, boolean hasBegun, ThinkTime think) {
      boolean isHere = hasBegun && until >= from && until < to;
      double first = Math.max(from, since);
      double last = Math.min(to, until);
      if (last > first) {
        double requests = (pace.users(last) - pace.users(first)) / think.meanNanos();
        expected += requests;
        if (think instanceof ThinkTime.Constant) {
          double before = (pace.users(first) - pace.users(since)) / think.meanNanos();
          edge += factor < 1 ? (isHere ? before : 0) : isHere ? 0 : Math.min(1, requests);
        }
      }
      began += isHere ? 1 : 0;
    }
  }

  BurstMeter(LoadPace planned, LoadPlan.Phases phases) {
    this.pace = new PaceClock(planned, phases);
    double from = phases.rampUp().toNanos();
    double end = from + phases.run().toNanos();
    for (LoadPace.Burst burst : planned.bursts()) {
      if (burst.isFault()) {
        Duration until = burst.at().plus(burst.length());
        bursts.add(
            new Stretch(
                burst.factor(),
                from + burst.at().toNanos(),
                Math.min(end, from + until.toNanos())));
      }
    }
  }

  /**
   * Takes a stretch in which a user thought.
   *
   * @param hasBegun whether a request followed, at its end
   * @param think what its length was drawn from; of none there is nothing to hurry
   */
  synchronized void thought(double since, double until, boolean hasBegun, ThinkTime think) {
    if (think.meanNanos() > 0) {
      bursts.forEach(burst -> burst.add(pace, since, until, hasBegun, think));
    }
  }

  /** The requests of each burst, in the order of the plan. */
  synchronized List<BurstOffer> offered() {
    return bursts.stream()
        .map(each -> new BurstOffer(each.factor, each.began, each.expected, each.edge))
        .toList();
  }
}
