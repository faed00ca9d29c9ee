package org.terrace.load;

import java.util.random.RandomGenerator;

/**
 * The moments at which the requests of an open load arrive, in nanoseconds from the start of the
 * ramp-up. The rate grows linearly over the ramp-up and then stays.
 *
 * <p>Arrivals of unit rate are mapped through the inverse of the expected number of arrivals,
 * {@code rate t^2 / (2 ramp)} in the ramp-up and linear after it (Cinlar's method), which keeps
 * Poisson arrivals Poisson and equal gaps as equal as a growing rate allows. In a burst time passes
 * faster. Confined to one thread.
 */
final class ArrivalSchedule {
  private static final double NANOS_A_SECOND = 1e9;

  private final double rate;
  private final double rampSeconds;
  private final LoadPlan.Spacing spacing;
  private final RandomGenerator random;
  private final PaceClock pace;
  private double expected;

  ArrivalSchedule(LoadPlan.Open open, double rampSeconds, RandomGenerator random, PaceClock pace) {
    this.rate = open.requestsPerSecond();
    this.rampSeconds = rampSeconds;
    this.spacing = open.spacing();
    this.random = random;
    this.pace = pace;
  }

  /** The next arrival. */
  long nextNanos() {
    expected +=
        switch (spacing) {
          case POISSON -> -Math.log(1 - random.nextDouble());
          case UNIFORM -> 1;
        };
    double inRamp = rate * rampSeconds / 2;
    double seconds =
        expected <= inRamp
            ? Math.sqrt(2 * expected * rampSeconds / rate)
            : rampSeconds + (expected - inRamp) / rate;
    return (long) pace.moment(seconds * NANOS_A_SECOND);
  }
}
