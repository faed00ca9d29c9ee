package org.terrace.load;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.terrace.observation.Event;

/**
 * The requests that users of a closed load began in a burst that was planned as a fault, and those
 * that its plan has for the time that they thought. Immutable.
 *
 * @param factor that by which users are to think faster
 * @param began the requests that began in it after a think time
 * @param expected those that think times of the planned mean have, had they passed at its pace
 * @param edge how many more than expected, or of a slower pace fewer, users may miss who think for
 *     a constant time and in step: those whose think time an end of the burst cuts in two
 */
public record BurstOffer(double factor, long began, double expected, double edge) {
  private static final String FACTOR = "factor";
  private static final String BEGAN = "beganRequests";
  private static final String EXPECTED = "expectedRequests";
  private static final String EDGE = "edgeRequests";

  /**
   * The negative logarithm of the probability that chance alone fails a burst, one of a million.
   */
  private static final double CHANCE = -Math.log(1e-6);

  /** The standard errors of an interval that holds the mean in 95 of 100 cases. */
  private static final double STANDARD_ERRORS = 1.96;

  /** The offer as attributes of the burst's event. */
  Map<String, String> attributes() {
    return Map.of(
        FACTOR, Double.toString(factor),
        BEGAN, Long.toString(began),
        EXPECTED, Double.toString(expected),
        EDGE, Double.toString(edge));
  }

  /** The offer that an event tells; empty where it tells none. */
  public static Optional<BurstOffer> of(Event event) {
    Map<String, String> told = event.attributes();
    return told.containsKey(BEGAN)
        ? Optional.of(
            new BurstOffer(
                Double.parseDouble(told.getOrDefault(FACTOR, "1")),
                Long.parseLong(told.getOrDefault(BEGAN, "0")),
                Double.parseDouble(told.getOrDefault(EXPECTED, "0")),
                Double.parseDouble(told.getOrDefault(EDGE, "0"))))
        : Optional.empty();
  }

  /**
   * The reason for which a burst did not happen: nobody thought in it, or more than half of the
   * hurry is missing, which neither users in step explain nor chance, if requests come as a Poisson
   * process. Empty where it did or that cannot be told.
   */
  public Optional<String> missing() {
    if (expected <= 0) {
      return Optional.of("found no user who thought, and so could be in a hurry");
    }
    double half = expected * (1 + 1 / factor) / 2;
    boolean isAsUsual =
        factor > 1
            ? began < half && isBeyondChance(began, expected - edge, -1)
            : factor < 1 && began > half && isBeyondChance(began, expected + edge, 1);
    return isAsUsual
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "began %d requests (95 %% interval %.0f to %.0f) of %.0f that a factor of %s has after"
                    + " the time that users thought",
                began,
                low(),
                high(),
                expected,
                factor))
        : Optional.empty();
  }

  /**
   * Whether a count lies so far from the mean of a Poisson process, on a side of it, that
   * Chernoff's bound of its probability is below one of a million.
   */
  private static boolean isBeyondChance(long count, double mean, int side) {
    if (side * (count - mean) <= 0) {
      return false;
    }
    double logarithm = count == 0 ? 0 : count * Math.log(count / mean);
    return mean - count + logarithm > CHANCE;
  }

  /** The lower end of the 95 % interval of the mean of what began, by Byar's approximation. */
  private double low() {
    return began == 0 ? 0 : byar((double) began, -1);
  }

  private double high() {
    return byar(began + 1.0, 1);
  }

  private static double byar(double count, int side) {
    double root = 1 - 1 / (9 * count) + side * STANDARD_ERRORS / (3 * Math.sqrt(count));
    return count * root * root * root;
  }
}
