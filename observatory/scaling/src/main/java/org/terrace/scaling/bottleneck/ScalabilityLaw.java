package org.terrace.scaling.bottleneck;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The universal scalability law fitted to throughput over load: X(N) = λN / (1 + σ(N - 1) + κN(N -
 * 1)) (Gunther, Guerrilla Capacity Planning, 2007). It is drawn over what was measured and decides
 * nothing. Immutable.
 *
 * <p>N / X is linear in 1/λ, σ/λ and κ/λ, which least squares of relative errors give, with σ and κ
 * held at 0 where they would be negative.
 *
 * @param lambda throughput of one user, per second
 * @param sigma the share that waits for what only one can have
 * @param kappa the cost of every two agreeing
 * @param relativeError the root of the mean square of relative errors of the throughput
 */
public record ScalabilityLaw(double lambda, double sigma, double kappa, double relativeError) {
  private static final int FEWEST_LOADS = 4;

  /**
   * The fit; null with fewer than four loads, or where no law of this form comes near.
   *
   * @param users the loads, distinct
   * @param throughput the throughput at each, above 0
   */
  public static @Nullable ScalabilityLaw fit(List<Integer> users, List<Double> throughput) {
    if (users.size() < FEWEST_LOADS || throughput.stream().anyMatch(value -> !(value > 0))) {
      return null;
    }
    ScalabilityLaw best = null;
    for (int free = 0; free < 4; free++) {
      ScalabilityLaw law = fit(users, throughput, (free & 1) != 0, (free & 2) != 0);
      if (law != null && (best == null || law.relativeError < best.relativeError)) {
        best = law;
      }
    }
    return best;
  }

  /** The throughput at a load. */
  public double throughput(double users) {
    return lambda * users / (1 + sigma * (users - 1) + kappa * users * (users - 1));
  }

  /** The load with the highest throughput; infinite where more users never cost any. */
  public double peak() {
    return kappa == 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - sigma) / kappa);
  }

  private static @Nullable ScalabilityLaw fit(
      List<Integer> users, List<Double> throughput, boolean contention, boolean coherency) {
    double[][] normal = new double[3][4];
    for (int i = 0; i < users.size(); i++) {
      double n = users.get(i);
      double inverse = n / throughput.get(i);
      double[] terms = {1, contention ? n - 1 : 0, coherency ? n * (n - 1) : 0};
      for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
          normal[row][column] += terms[row] * terms[column] / (inverse * inverse);
        }
        normal[row][3] += terms[row] / inverse;
      }
    }
    normal[1][1] += contention ? 0 : 1;
    normal[2][2] += coherency ? 0 : 1;
    double[] solved = solve(normal);
    if (!(solved[0] > 0) || !(solved[1] >= 0) || !(solved[2] >= 0)) {
      return null;
    }
    ScalabilityLaw law =
        new ScalabilityLaw(1 / solved[0], solved[1] / solved[0], solved[2] / solved[0], 0);
    double squares = 0;
    for (int i = 0; i < users.size(); i++) {
      double error = law.throughput(users.get(i)) / throughput.get(i) - 1;
      squares += error * error;
    }
    return new ScalabilityLaw(law.lambda, law.sigma, law.kappa, Math.sqrt(squares / users.size()));
  }

  /** Gauss's elimination of three equations; not a number where they are not independent. */
  private static double[] solve(double[][] rows) {
    for (int pivot = 0; pivot < 3; pivot++) {
      int largest = pivot;
      for (int row = pivot + 1; row < 3; row++) {
        largest = Math.abs(rows[row][pivot]) > Math.abs(rows[largest][pivot]) ? row : largest;
      }
      double[] swapped = rows[pivot];
      rows[pivot] = rows[largest];
      rows[largest] = swapped;
      for (int row = pivot + 1; row < 3; row++) {
        double factor = rows[row][pivot] / rows[pivot][pivot];
        for (int column = pivot; column < 4; column++) {
          rows[row][column] -= factor * rows[pivot][column];
        }
      }
    }
    double[] solved = new double[3];
    for (int row = 2; row >= 0; row--) {
      double rest = rows[row][3];
      for (int column = row + 1; column < 3; column++) {
        rest -= rows[row][column] * solved[column];
      }
      solved[row] = rest / rows[row][row];
    }
    return solved;
  }
}
