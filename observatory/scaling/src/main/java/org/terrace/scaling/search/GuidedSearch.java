package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.terrace.scaling.Configuration;

/**
 * Finds the configuration that earns most by what holds the tried ones back: it begins with the
 * cheapest, learns from each trial how busy a request makes each tier, and goes on to the
 * configuration of which it expects the greatest gain over the best so far, until no gain is worth
 * a trial. A configuration that was tried is tried again where that is worth more than a new one:
 * where two earn nearly the same, and what a trial earns differs from run to run. One of which all
 * trials have failed is tried again only when no other is worth a trial.
 *
 * <p>The share of a tier's time that a request takes is a / n + b for n servers: a of it is parted
 * among them, b, such as writes that go to all, is not. The fullest tiers give a configuration's
 * pressure, the offered requests over what it can answer, and {@link IncomeCurve} what it then may
 * earn. So a bottleneck that more servers would resolve is looked into, one that they would not is
 * left, and where there is room servers are taken away. O(configurations × curves) a choice.
 *
 * @param space the configurations
 * @param mostTrials the trials after which it ends, 1 or more
 */
public record GuidedSearch(SearchSpace space, int mostTrials) implements SearchStrategy {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** A ratio of pressures over which a curve's slope is taken. */
  private static final double STEP = 1.02;

  /** The greatest share of its time that a tier can be kept busy. */
  private static final double FULL = 0.98;

  /** A gain, as a share of the best profit, for which no trial is worth its time. */
  private static final double WORTHLESS = 0.000001;

  /** The part of the most income that counts where profit is less. */
  private static final double LITTLE = 0.01;

  /** The factors by which a pressure may differ from the computed one. */
  private static final double[] PRESSURE_ERRORS = {0.88, 0.94, 1, 1.06, 1.12};

  /** The amounts by which a curve may miss the share of the most income. */
  private static final double[] SHARE_ERRORS = {-0.03, 0, 0.03};

  /** The deviation of the demands of one configuration from run to run, as a share of them. */
  private static final double DEMAND_DEVIATION = 0.03;

  /** The deviation of shares of the most income from run to run though the demands do not vary. */
  private static final double SHARE_DEVIATION = 0.002;

  /**
   * The factor by which the gain of a repeated trial counts more than that of a first one, which
   * rests on a curve that may be wrong.
   */
  private static final double TRUST_IN_REPEATS = 2;

  /** Pressures of tiers add up by this norm: two full tiers are worse than one. */
  private static final double NORM = 6;

  /** The demand of a tier: a / n + b. */
  private record Demand(double parted, double shared) {
    double of(int servers) {
      return parted / servers + shared;
    }
  }

  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    List<SearchTrial> trials = space.trials(soFar);
    List<Configuration> untried = space.untried(soFar);
    List<Configuration> fresh =
        untried.stream().filter(each -> !space.failed().contains(each)).toList();
    if (trials.isEmpty()) {
      String reason =
          space.failed().isEmpty()
              ? "the cheapest first"
              : fresh.isEmpty()
                  ? "all have failed, the cheapest again"
                  : "the cheapest that has not failed";
      return (fresh.isEmpty() ? untried : fresh)
          .stream()
              .min(Comparator.comparingDouble(each -> space.prices().costPerHour(each)))
              .flatMap(cheapest -> space.step(cheapest, reason));
    }
    if (trials.size() >= mostTrials) {
      return Optional.empty();
    }
    Optional<SearchStep> step = next(trials, fresh);
    return step.isPresent() ? step : next(trials, untried);
  }

  /** The next after some trials, one of those that were not tried or one of those again. */
  private Optional<SearchStep> next(List<SearchTrial> trials, List<Configuration> untried) {
    Learned learned = new Learned(trials);
    Map<Configuration, MeanProfit> tried = MeanProfit.of(trials);
    double best = tried.values().stream().mapToDouble(MeanProfit::perHour).max().orElseThrow();
    double worth = WORTHLESS * Math.max(best, LITTLE * space.mostIncomePerHour());
    Configuration candidate = null;
    double most = worth;
    for (Configuration each : untried) {
      double gain = learned.gain(each, best);
      if (gain > most) {
        most = gain;
        candidate = each;
      }
    }
    String reason = candidate == null ? "" : learned.reason(candidate);
    for (Map.Entry<Configuration, MeanProfit> each : tried.entrySet()) {
      if (!space.canBeTried(each.getKey())) {
        continue;
      }
      double gain = TRUST_IN_REPEATS * learned.gainOfRepeat(each.getKey(), each.getValue(), tried);
      if (gain > most) {
        most = gain;
        candidate = each.getKey();
        reason = "again, since another earned nearly the same";
      }
    }
    return candidate == null ? Optional.empty() : space.step(candidate, reason);
  }

  /** The conclusions from trials on configurations that were not tried. */
  private final class Learned {
    private final List<Demand> demands = new ArrayList<>();
    private final List<IncomeCurve.Weighted> curves;

    Learned(List<SearchTrial> trials) {
      for (String tier : Configuration.TIERS) {
        demands.add(demand(tier, trials));
      }
      curves =
          IncomeCurve.posterior(
              trials.stream().map(trial -> pressure(trial.configuration())).toList(),
              trials.stream().map(this::share).toList());
    }

    /** The profit expected in excess of the best: what is less counts as nothing. */
    double gain(Configuration configuration, double best) {
      double cost = space.prices().costPerHour(configuration);
      double pressure = pressure(configuration);
      double sum = 0;
      double weights = 0;
      for (double error : PRESSURE_ERRORS) {
        for (IncomeCurve.Weighted each : curves) {
          double share = each.curve().at(pressure * error);
          for (double off : SHARE_ERRORS) {
            double income = space.mostIncomePerHour() * (share + off);
            sum += each.weight() * Math.max(0, income - cost - best);
            weights += each.weight();
          }
        }
      }
      return sum / weights;
    }

    /**
     * The profit by which one more trial of a configuration is expected to better the choice among
     * those that were tried: it moves the mean of what this one earned by a normal deviate, and
     * counts where that changes the choice.
     */
    double gainOfRepeat(
        Configuration configuration, MeanProfit mean, Map<Configuration, MeanProfit> tried) {
      if (tried.size() == 1) {
        return 0;
      }
      double others =
          tried.entrySet().stream()
              .filter(entry -> !entry.getKey().equals(configuration))
              .mapToDouble(entry -> entry.getValue().perHour())
              .max()
              .orElseThrow();
      double deviation =
          space.mostIncomePerHour()
              * deviation(configuration)
              / Math.sqrt(mean.trials() * (mean.trials() + 1.0));
      double distance = Math.abs(mean.perHour() - others) / deviation;
      return deviation
          * (NORMAL.density(distance) - distance * NORMAL.survivalProbability(distance));
    }

    /** The deviation of a trial's share of the most income from run to run. */
    private double deviation(Configuration configuration) {
      double pressure = pressure(configuration);
      double sum = 0;
      double weights = 0;
      for (IncomeCurve.Weighted each : curves) {
        double fall = each.curve().at(pressure / STEP) - each.curve().at(pressure * STEP);
        sum += each.weight() * Math.abs(fall);
        weights += each.weight();
      }
      return SHARE_DEVIATION + DEMAND_DEVIATION * sum / weights / (2 * Math.log(STEP));
    }

    /** The income of a trial, as a share of the most. */
    private double share(SearchTrial trial) {
      double income = trial.profitPerHour() + space.prices().costPerHour(trial.configuration());
      return income / Math.max(space.mostIncomePerHour(), Double.MIN_NORMAL);
    }

    String reason(Configuration configuration) {
      int fullest = 0;
      double most = 0;
      for (int i = 0; i < demands.size(); i++) {
        double busy = busy(configuration, i);
        fullest = busy > most ? i : fullest;
        most = Math.max(most, busy);
      }
      return "it may earn more, with its " + Configuration.TIERS.get(fullest) + " tier the fullest";
    }

    private double pressure(Configuration configuration) {
      double sum = 0;
      for (int i = 0; i < demands.size(); i++) {
        sum += Math.pow(busy(configuration, i) / FULL, NORM);
      }
      return Math.max(1e-3, Math.pow(sum, 1 / NORM));
    }

    private double busy(Configuration configuration, int tier) {
      int servers = configuration.counts().get(tier);
      return servers == 0 ? 0 : space.offeredPerSecond() * demands.get(tier).of(servers);
    }

    /** Least squares of a / n + b over the trials, with neither below 0. */
    private static Demand demand(String tier, List<SearchTrial> trials) {
      double weights = 0;
      double sumX = 0;
      double sumY = 0;
      double squares = 0;
      double products = 0;
      for (SearchTrial trial : trials) {
        Double busy = trial.busy().get(tier);
        int servers = trial.configuration().servers(tier);
        if (busy != null && servers > 0 && trial.throughputPerSecond() > 0) {
          double x = 1.0 / servers;
          double y = busy / trial.throughputPerSecond();
          double weight = 1 / (y * y + 1e-18);
          weights += weight;
          sumX += weight * x;
          sumY += weight * y;
          squares += weight * x * x;
          products += weight * x * y;
        }
      }
      if (weights == 0) {
        return new Demand(0, 0);
      }
      double spread = weights * squares - sumX * sumX;
      if (spread <= 1e-9 * weights * squares) {
        return new Demand(products / squares, 0);
      }
      double slope = (weights * products - sumX * sumY) / spread;
      double rest = (sumY - slope * sumX) / weights;
      if (rest < 0) {
        return new Demand(products / squares, 0);
      }
      return slope < 0 ? new Demand(0, sumY / weights) : new Demand(slope, rest);
    }
  }
}
