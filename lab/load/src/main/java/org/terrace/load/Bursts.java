package org.terrace.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The burstiness of a load: users who are in a hurry together now and then. Bursts and the calm
 * between them last exponentially, so that requests are a Poisson process modulated by two states,
 * whose mean rate is that of the same load without bursts. Immutable.
 *
 * <p>Source of the two states: Mi, Casale, Cherkasova, Smirni, "Injecting realistic burstiness to a
 * traditional client-server benchmark", ICAC 2009; of the index of dispersion: Heffes, Lucantoni,
 * "A Markov modulated characterization of packetized voice and data traffic", IEEE JSAC 4 (1986).
 *
 * @param every the mean time from the start of a burst to that of the next
 * @param length the mean length of a burst, above zero and below {@code every}
 * @param factor how many times faster users are in a burst than between two, above 1 and at most
 *     {@value LoadPace.Burst#MAXIMUM_FACTOR}
 */
public record Bursts(Duration every, Duration length, double factor) {
  /** Checks the ranges. */
  public Bursts {
    if (length.isZero() || length.isNegative() || length.compareTo(every) >= 0) {
      throw LoadPlan.invalid("bursts", length + " every " + every, "a time between 0 and 'every'");
    }
    if (!(factor > 1 && factor <= LoadPace.Burst.MAXIMUM_FACTOR)) {
      throw LoadPlan.invalid(
          "bursts.factor", factor, "above 1, at most " + LoadPace.Burst.MAXIMUM_FACTOR);
    }
  }

  /**
   * Bursts with an index of dispersion.
   *
   * @param index the limit, over long times, of the variance of the number of requests divided by
   *     its mean; 1 is a Poisson process
   * @param requestsPerSecond the mean rate of the load
   * @throws TerraceException if no factor gives that index; the message names the largest
   */
  public static Bursts ofIndex(
      Duration every, Duration length, double index, double requestsPerSecond) {
    double share = share(every, length);
    double ofRate =
        Math.sqrt(
            (index - 1)
                * changesPerSecond(every, length)
                / (2 * share * (1 - share) * requestsPerSecond));
    double factor = 1 + ofRate / (1 - share * ofRate);
    if (!(index > 1) || share * ofRate >= 1 || factor > LoadPace.Burst.MAXIMUM_FACTOR) {
      double most =
          new Bursts(every, length, LoadPace.Burst.MAXIMUM_FACTOR).index(requestsPerSecond);
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          String.format(
              Locale.ROOT,
              "bursts: index %s is out of range: expected above 1 and at most %.0f with %.1f requests"
                  + " a second; rarer or longer bursts allow more",
              index,
              Math.floor(most),
              requestsPerSecond));
    }
    return new Bursts(every, length, factor);
  }

  /** The index of dispersion of requests that come at this mean rate. */
  public double index(double requestsPerSecond) {
    double share = share(every, length);
    double ofRate = (factor - 1) / (1 + share * (factor - 1));
    return 1
        + 2
            * share
            * (1 - share)
            * requestsPerSecond
            * ofRate
            * ofRate
            / changesPerSecond(every, length);
  }

  /** The bursts of one run and the calm between them; the same seed gives the same. */
  public LoadPace draw(Duration run, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<LoadPace.Burst> drawn = new ArrayList<>();
    double gap = every.minus(length).toNanos();
    double at = exponential(random, gap);
    while (at < run.toNanos() && drawn.size() < LoadPace.MAXIMUM_BURSTS / 2) {
      double lasting = Math.max(1, exponential(random, (double) length.toNanos()));
      Duration from = Duration.ofNanos((long) at);
      drawn.add(new LoadPace.Burst(from, Duration.ofNanos((long) lasting), factor, false));
      at += lasting + exponential(random, gap);
    }
    double share = share(every, length);
    return new LoadPace(1 / (1 + share * (factor - 1)), drawn);
  }

  private static double share(Duration every, Duration length) {
    return (double) length.toNanos() / every.toNanos();
  }

  /** The sum of the rates at which bursts begin and end. */
  private static double changesPerSecond(Duration every, Duration length) {
    return 1e9 / every.minus(length).toNanos() + 1e9 / length.toNanos();
  }

  private static double exponential(SplittableRandom random, double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }
}
