package org.terrace.scaling.repeats;

import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Shares of requests that were each counted in a few trials, with intervals. Immutable.
 *
 * <p>An interval is Wilson's (Probable inference, the law of succession, and statistical inference,
 * 1927), which holds near 0 and 1 too, of the requests of all repeats. Requests of one trial depend
 * on each other, so they count as fewer by the dispersion: Pearson's statistic over its degrees of
 * freedom, and 1 at least (McCullagh and Nelder, Generalized Linear Models, 1989, section 4.5).
 * Student's quantile takes the place of the normal one then.
 *
 * <p>Cells that were measured twice or more tell the dispersion of one another by as much as their
 * shares are alike: the degrees of freedom of another count by the cube of the ratio of the
 * expected variances, {@code share × (1 - share)}, of both. A load that is answered wholly so tells
 * nothing of one at the knee, where trials differ most. Nor do others make less of what a cell's
 * own repeats show: the dispersion is not below its own. With three repeats some 95 of a hundred
 * intervals of 95 % hold at a knee of 95 % beside calm loads of 99.5 % and more, and 92 beside
 * seven of 98 %. Trials in which nothing was counted tell nothing. Where no cell was measured twice
 * the requests count as independent.
 */
public final class RepeatedShares {
  private final List<Spread> spreads;

  private RepeatedShares(List<Spread> spreads) {
    this.spreads = spreads;
  }

  /**
   * The differences between the repeats of a cell.
   *
   * @param variance the variance of one request that its share leads to expect, above 0
   * @param statistic Pearson's statistic of the repeats
   * @param degrees its degrees of freedom
   */
  private record Spread(double variance, double statistic, int degrees) {
    static Spread of(List<Counted> repeats) {
      List<Counted> counted = repeats.stream().filter(each -> each.all() > 0).toList();
      Counted sum = Counted.sum(counted);
      // Half a request on both sides keeps the expected variance of a share of 0 or 1 above 0.
      double share = (sum.good() + 0.5) / (sum.all() + 1);
      double variance = share * (1 - share);
      double statistic = 0;
      for (Counted each : counted) {
        double off = each.good() - each.all() * sum.share();
        statistic += off * off / (each.all() * variance);
      }
      return new Spread(variance, statistic, Math.max(0, counted.size() - 1));
    }

    double dispersion() {
      return degrees == 0 ? 1 : statistic / degrees;
    }

    /** The part by which this cell tells of another: 1 of the same share. */
    double alike(Spread other) {
      double ratio = Math.min(variance, other.variance) / Math.max(variance, other.variance);
      return ratio * ratio * ratio;
    }
  }

  /** The dispersion of a cell, and the degrees of freedom by which it is known. */
  private record Dispersion(double value, double degrees) {}

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
    return new RepeatedShares(
        cells.stream().map(Spread::of).filter(spread -> spread.degrees() > 0).toList());
  }

  /** Whether intervals tell how repeats differ; else they take requests for independent. */
  public boolean knowsRepeats() {
    return !spreads.isEmpty();
  }

  private Dispersion dispersion(Spread own) {
    // A cell that was measured once has the dispersion of the cell that is most like it.
    double most = spreads.stream().mapToDouble(own::alike).max().orElse(1);
    double statistic = 0;
    double degrees = 0;
    for (Spread each : spreads) {
      double weight = own.alike(each) / most;
      statistic += weight * each.statistic();
      degrees += weight * each.degrees();
    }
    double pooled = degrees == 0 ? 1 : statistic / degrees;
    return new Dispersion(Math.max(1, Math.max(pooled, own.dispersion())), degrees);
  }

  /** The share of the requests of some repeats, with its interval. */
  public Interval interval(List<Counted> repeats, double confidence) {
    Counted sum = Counted.sum(repeats);
    double share = sum.share();
    Dispersion dispersion = dispersion(Spread.of(repeats));
    double degrees = dispersion.degrees();
    double count = sum.all() / dispersion.value();
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
