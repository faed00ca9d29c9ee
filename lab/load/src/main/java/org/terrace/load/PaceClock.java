package org.terrace.load;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The clock of a pace: maps time since the start of the ramp-up to the time that has passed for the
 * users, and back. Both grow without a jump, at a rate that is constant between the ends of bursts.
 * Immutable.
 */
final class PaceClock {
  /** The moments at which the rate changes, the first of them zero. */
  private final double[] moments;

  private final double[] rates;

  /** The users' time at each of the moments. */
  private final double[] users;

  PaceClock(LoadPace pace, LoadPlan.Phases phases) {
    double run = phases.rampUp().toNanos();
    double end = run + phases.run().toNanos();
    TreeSet<Double> changes = new TreeSet<>();
    changes.add(0.0);
    changes.add(run);
    changes.add(end);
    for (LoadPace.Burst burst : pace.bursts()) {
      changes.add(Math.min(end, run + burst.at().toNanos()));
      changes.add(Math.min(end, run + burst.at().plus(burst.length()).toNanos()));
    }
    moments = changes.stream().mapToDouble(Double::doubleValue).toArray();
    rates = new double[moments.length];
    users = new double[moments.length];
    Arrays.setAll(rates, i -> moments[i] >= run && moments[i] < end ? pace.calm() : 1);
    for (LoadPace.Burst burst : pace.bursts()) {
      double from = run + burst.at().toNanos();
      double to = Math.min(end, from + burst.length().toNanos());
      for (int i = first(from); i < moments.length && moments[i] < to; i++) {
        rates[i] *= burst.factor();
      }
    }
    for (int i = 1; i < moments.length; i++) {
      users[i] = users[i - 1] + (moments[i] - moments[i - 1]) * rates[i - 1];
    }
  }

  private int first(double moment) {
    int found = Arrays.binarySearch(moments, moment);
    return found >= 0 ? found : -found - 1;
  }

  /** The users' time at a moment, both in nanoseconds since the start of the ramp-up. */
  double users(double nanos) {
    int from = last(moments, nanos);
    return users[from] + (nanos - moments[from]) * rates[from];
  }

  /** The moment at which so much time has passed for the users. */
  double moment(double usersNanos) {
    int from = last(users, usersNanos);
    return moments[from] + (usersNanos - users[from]) / rates[from];
  }

  private static int last(double[] ascending, double value) {
    int found = Arrays.binarySearch(ascending, value);
    return Math.max(0, found >= 0 ? found : -found - 2);
  }
}
