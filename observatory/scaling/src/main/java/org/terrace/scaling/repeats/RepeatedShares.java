package org.terrace.scaling.repeats;

import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Shares of requests that were each counted in a few trials, with intervals. Immutable.
 *
 * <p>An interval is Wilson's (Probable inference, the law of succession, and statistical inference,
 * 1927), which holds near 0 and 1 too, of the requests of all repeats. Requests of one trial depend
 * on each other, so they count as fewer by the dispersion: Pearson's statistic of all cells that
 * were measured twice or more, over its degrees of freedom, and 1 at least (McCullagh and Nelder,
 * Generalized Linear Models, 1989, section 4.5). Student's quantile takes the place of the normal
 * one then. Where no cell was measured twice the requests count as independent.
 */
public final class RepeatedShares {
  private final double dispersion;
  private final int degrees;

  private RepeatedShares(double dispersion, int degrees) {
    this.dispersion = dispersion;
    this.degrees = degrees;
  }

  /**
   * The requests of a trial. Immutable.
   *
   * @param good those that count, 0 to {@code all}; with a fraction where a bin was parted
   * @param all all requests
   */
  public record Counted(double good, double all) {
    /** Checks the counts. */
    public Counted {
      if (!(good >= 0 && good <= all && Double.isFinite(all))) {
        throw new IllegalArgumentException(good + " of " + all + " is no share");
      }
    }

    /** The same of all trials together. */
    public static Counted sum(List<Counted> trials) {
      return new Counted(
          trials.stream().mapToDouble(Counted::good).sum(),
          trials.stream().mapToDouble(Counted::all).sum());
    }

    /** The share; 1 of no requests. */
    public double share() {
      return all == 0 ? 1 : good / all;
    }
  }

  /** Learns from the repeats of each cell how much shares differ from trial to trial. */
  public static RepeatedShares of(List<List<Counted>> cells) {
    double statistic = 0;
    int degrees = 0;
    for (List<Counted> repeats : cells) {
      Counted sum = Counted.sum(repeats);
      // Half a request on both sides keeps the expected variance of a share of 0 or 1 above 0.
      double share = (sum.good() + 0.5) / (sum.all() + 1);
      for (Counted each : repeats) {
        double off = each.good() - each.all() * sum.share();
        statistic += each.all() == 0 ? 0 : off * off / (each.all() * share * (1 - share));
      }
      degrees += Math.max(0, repeats.size() - 1);
    }
    return new RepeatedShares(degrees == 0 ? 1 : Math.max(1, statistic / degrees), degrees);
  }

  /** Whether intervals tell how repeats differ; else they take requests for independent. */
  public boolean knowsRepeats() {
    return degrees > 0;
  }

  /** The share of the requests of some repeats, with its interval. */
  public Interval interval(List<Counted> repeats, double confidence) {
    Counted sum = Counted.sum(repeats);
    double share = sum.share();
    double count = sum.all() / dispersion;
    if (!(count > 0)) {
      return new Interval(share, 0, 1);
    }
    double tail = (1 - confidence) / 2;
    double quantile =
        degrees == 0
            ? NormalDistribution.of(0, 1).inverseSurvivalProbability(tail)
            : TDistribution.of(degrees).inverseSurvivalProbability(tail);
    double squares = quantile * quantile / count;
    double middle = (share + squares / 2) / (1 + squares);
    double reach =
        quantile * Math.sqrt((share * (1 - share) + squares / 4) / count) / (1 + squares);
    return new Interval(
        share, Math.clamp(middle - reach, 0, share), Math.clamp(middle + reach, share, 1));
  }
}
