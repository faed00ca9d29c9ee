package org.terrace.scaling.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.terrace.scaling.Configuration;

/**
 * Bayesian optimisation: profit over numbers of servers is a Gaussian process, and the next trial
 * is where the expected improvement on the best is greatest (Jones, Schonlau and Welch, Efficient
 * Global Optimization of Expensive Black-Box Functions, 1998). It knows nothing of servers, so it
 * serves spaces of three and more dimensions that bottlenecks do not explain. O(trials³ +
 * configurations × trials²) a choice.
 *
 * @param space the configurations
 * @param mostTrials the trials after which it ends, 1 or more
 */
public record ImprovementSearch(SearchSpace space, int mostTrials) implements SearchStrategy {
  /** The distance, as a part of a tier's range, over which profits resemble each other. */
  private static final double LENGTH = 0.35;

  /** The variance of noise, as a part of the variance of profits. */
  private static final double NOISE = 1e-3;

  /** An expected improvement, as a part of the spread of profits, that is not worth a trial. */
  private static final double WORTHLESS = 0.002;

  /** The trials that come first, spread over the space. */
  private static final int FIRST = 3;

  @Override
  public Optional<SearchStep> next(List<SearchTrial> soFar) {
    List<SearchTrial> trials = space.trials(soFar);
    List<Configuration> untried = space.untried(soFar);
    if (trials.size() >= mostTrials || untried.isEmpty()) {
      return Optional.empty();
    }
    if (trials.size() < FIRST) {
      int index = trials.size() * (space.configurations().size() - 1) / (FIRST - 1);
      Configuration spread = space.configurations().get(index);
      return space.step(
          untried.contains(spread) ? spread : untried.getFirst(), "spread over the space");
    }
    Surface surface = new Surface(trials);
    Configuration best =
        untried.stream().max(Comparator.comparingDouble(surface::improvement)).orElseThrow();
    return surface.improvement(best) < WORTHLESS
        ? Optional.empty()
        : space.step(best, "the greatest expected improvement");
  }

  /** A Gaussian process through the trials, of profits less their mean over their spread. */
  private final class Surface {
    private final List<Configuration> at;
    private final double[][] factor;
    private final double[] weights;
    private final double best;

    Surface(List<SearchTrial> trials) {
      at = trials.stream().map(SearchTrial::configuration).toList();
      int count = trials.size();
      double[] profits = trials.stream().mapToDouble(SearchTrial::profitPerHour).toArray();
      double mean = Arrays.stream(profits).average().orElse(0);
      double squares = 0;
      for (double profit : profits) {
        squares += (profit - mean) * (profit - mean);
      }
      double spread = Math.max(Math.sqrt(squares / count), Double.MIN_NORMAL);
      double[][] covariance = new double[count][count];
      double highest = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < count; i++) {
        profits[i] = (profits[i] - mean) / spread;
        highest = Math.max(highest, profits[i]);
        for (int j = 0; j < count; j++) {
          covariance[i][j] = kernel(at.get(i), at.get(j)) + (i == j ? NOISE : 0);
        }
      }
      best = highest;
      factor = cholesky(covariance);
      weights = backward(forward(profits));
    }

    double improvement(Configuration configuration) {
      double[] kernels = at.stream().mapToDouble(each -> kernel(each, configuration)).toArray();
      double mean = 0;
      for (int i = 0; i < kernels.length; i++) {
        mean += kernels[i] * weights[i];
      }
      double explained = 0;
      for (double each : forward(kernels)) {
        explained += each * each;
      }
      double deviation = Math.sqrt(Math.max(1e-12, 1 - explained));
      NormalDistribution standard = NormalDistribution.of(0, 1);
      double z = (mean - best) / deviation;
      return deviation * (z * standard.cumulativeProbability(z) + standard.density(z));
    }

    private double kernel(Configuration one, Configuration other) {
      double squares =
          one.database().equals(other.database())
                  && one.nodeTypes().equals(other.nodeTypes())
                  && one.variations().equals(other.variations())
              ? 0
              : 1;
      for (String tier : Configuration.TIERS) {
        int range = range(tier);
        double distance = (double) (one.servers(tier) - other.servers(tier)) / Math.max(1, range);
        squares += distance * distance;
      }
      return Math.exp(-squares / (2 * LENGTH * LENGTH));
    }

    private int range(String tier) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      for (Configuration each : space.configurations()) {
        least = Math.min(least, each.servers(tier));
        most = Math.max(most, each.servers(tier));
      }
      return most - least;
    }

    private static double[][] cholesky(double[][] matrix) {
      int count = matrix.length;
      double[][] lower = new double[count][count];
      for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = matrix[i][j];
          for (int k = 0; k < j; k++) {
            sum -= lower[i][k] * lower[j][k];
          }
          lower[i][j] = i == j ? Math.sqrt(Math.max(sum, NOISE * NOISE)) : sum / lower[j][j];
        }
      }
      return lower;
    }

    private double[] forward(double[] right) {
      double[] solved = right.clone();
      for (int i = 0; i < solved.length; i++) {
        for (int k = 0; k < i; k++) {
          solved[i] -= factor[i][k] * solved[k];
        }
        solved[i] /= factor[i][i];
      }
      return solved;
    }

    private double[] backward(double[] right) {
      double[] solved = right.clone();
      for (int i = solved.length - 1; i >= 0; i--) {
        for (int k = i + 1; k < solved.length; k++) {
          solved[i] -= factor[k][i] * solved[k];
        }
        solved[i] /= factor[i][i];
      }
      return solved;
    }
  }
}
