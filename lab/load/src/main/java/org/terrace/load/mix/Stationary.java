package org.terrace.load.mix;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limit of long walks over a {@link TransitionTable}. Immutable.
 *
 * <p>The history of pages makes a walk more than a Markov chain, but it is solved exactly. Let
 * {@code r(s)} be the probability that a user who came to {@code s}, a state with a way back, goes
 * back from this visit sooner or later. From {@code s} the user goes back at once with {@code
 * b(s)}, or moves to another such state {@code y}, returns from it with {@code r(y)} and stands at
 * {@code s} again; any other move never comes back. So {@code r(s) = b(s) / (1 - sum_y p(s,y)
 * r(y))}, of which repeated substitution from zero finds the least solution. The expected pages of
 * each state in a session, {@code n(s)}, then obey the linear equations {@code n(s) = [s is the
 * start] + sum_q n(q) p(q,s) + n(s) sum_y p(s,y) r(y)}: pages come by links, and by returning from
 * where one went.
 *
 * @param pagesPerSession the mean number of pages of a session
 * @param shares the share of each state among all pages, 0 to 1, by name; states that are never
 *     reached are absent
 */
public record Stationary(double pagesPerSession, Map<String, Double> shares) {
  private static final int MAXIMUM_SUBSTITUTIONS = 100_000;
  private static final double PRECISION = 1e-14;

  /** Copies the shares. */
  public Stationary {
    shares = Map.copyOf(shares);
  }

  /** The share of one state, zero when it is never reached. */
  public double share(String state) {
    return shares.getOrDefault(state, 0.0);
  }

  /** The share of several states together. */
  public double share(Collection<String> states) {
    return states.stream().mapToDouble(this::share).sum();
  }

  static Stationary of(TransitionTable table) {
    double[] pages = solve(equations(table, returnProbabilities(table)));
    double sum = 0;
    for (double count : pages) {
      sum += count;
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int state = 0; state < pages.length; state++) {
      if (pages[state] > PRECISION) {
        shares.put(table.states().get(state), pages[state] / sum);
      }
    }
    return new Stationary(sum, shares);
  }

  private static double[] returnProbabilities(TransitionTable table) {
    int size = table.states().size();
    double[] probabilities = new double[size];
    for (int round = 0; round < MAXIMUM_SUBSTITUTIONS; round++) {
      double change = 0;
      for (int state = 0; state < size; state++) {
        double away = returningMoves(table, state, probabilities);
        double better = away < 1 ? table.backProbability(state) / (1 - away) : 1;
        change = Math.max(change, Math.abs(better - probabilities[state]));
        probabilities[state] = better;
      }
      if (change < PRECISION) {
        break;
      }
    }
    return probabilities;
  }

  /** The probability of leaving a state by a link and coming back to this very visit. */
  private static double returningMoves(TransitionTable table, int state, double[] probabilities) {
    double sum = 0;
    for (int to = 0; to < probabilities.length; to++) {
      sum += table.probability(state, to) * probabilities[to];
    }
    return sum;
  }

  /** The equations as rows of coefficients with the right-hand side last. */
  private static double[][] equations(TransitionTable table, double[] returns) {
    int size = returns.length;
    double[][] equations = new double[size][size + 1];
    for (int state = 0; state < size; state++) {
      for (int from = 0; from < size; from++) {
        equations[state][from] = -table.probability(from, state);
      }
      equations[state][state] += 1 - returningMoves(table, state, returns);
    }
    equations[table.start()][size] = 1;
    return equations;
  }

  /** Gauss-Jordan elimination with partial pivoting; tables have a few dozen states. */
  private static double[] solve(double[][] rows) {
    int size = rows.length;
    for (int column = 0; column < size; column++) {
      int pivot = column;
      for (int row = column + 1; row < size; row++) {
        if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) {
          pivot = row;
        }
      }
      double[] swap = rows[column];
      rows[column] = rows[pivot];
      rows[pivot] = swap;
      for (int row = 0; row < size; row++) {
        double factor = row == column ? 0 : rows[row][column] / rows[column][column];
        for (int k = column; factor != 0 && k <= size; k++) {
          rows[row][k] -= factor * rows[column][k];
        }
      }
    }
    double[] solution = new double[size];
    for (int row = 0; row < size; row++) {
      solution[row] = rows[row][size] / rows[row][row];
    }
    return solution;
  }
}
