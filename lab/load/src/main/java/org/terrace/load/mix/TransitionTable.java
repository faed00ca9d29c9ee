package org.terrace.load.mix;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The probabilities of a user's moves from page to page: for each state the probability of every
 * next one, of going back to the page before, and of ending the session. Immutable and thread-safe;
 * a draw takes time linear in the number of states.
 *
 * <p>Going back follows RUBBoS (Cecchet, Marguerite, Zwaenepoel, "Performance and Scalability of
 * EJB Applications", 2002, and its published emulator): entering a state from which one may go back
 * remembers the page left, entering any other state forgets all of them. So a user can never go
 * back further than to the last page that has no way back.
 */
public final class TransitionTable {
  /** The move that returns to the page before. */
  public static final int BACK = -1;

  /** The move that ends the session. */
  public static final int END = -2;

  /**
   * Sums of probabilities may miss 1 by this much, which is below what a figure of six digits says.
   */
  static final double TOLERANCE = 1e-6;

  private final List<String> states;
  private final int start;
  private final double[][] next;
  private final double[] back;
  private final double[] end;
  private final @Nullable ThinkTime[] think;

  /**
   * A table over the given states.
   *
   * @param states the names, which {@code next} and the other arguments are indexed by
   * @param start the index of the state that sessions begin with; it has no way back
   * @param next {@code next[from][to]}; rows of states that are never reached are all zero
   * @param back the probability of going back, by state
   * @param end the probability of ending the session, by state
   * @param think think times by state name; states without one take the plan's
   * @throws TerraceException if probabilities of a state do not sum to 1, or a session cannot end
   */
  TransitionTable(
      List<String> states,
      int start,
      double[][] next,
      double[] back,
      double[] end,
      Map<String, ThinkTime> think) {
    this.states = List.copyOf(states);
    this.start = start;
    this.next = Arrays.stream(next).map(double[]::clone).toArray(double[][]::new);
    this.back = back.clone();
    this.end = end.clone();
    this.think = states.stream().map(think::get).toArray(ThinkTime[]::new);
    check();
  }

  /** The names of the states; everywhere else a state is an index into this list. */
  public List<String> states() {
    return states;
  }

  /** The state that sessions begin with. */
  public int start() {
    return start;
  }

  /** The probability of moving from one state to another by a link or form. */
  public double probability(int from, int to) {
    return next[from][to];
  }

  /** The probability of going back from a state. */
  public double backProbability(int state) {
    return back[state];
  }

  /** The probability of ending the session after a state. */
  public double endProbability(int state) {
    return end[state];
  }

  /** The think time after a page of this state, or null where the plan decides. */
  public @Nullable ThinkTime think(int state) {
    return think[state];
  }

  /** Draws what follows a state: another state, {@link #BACK} or {@link #END}. */
  public int draw(int state, RandomGenerator random) {
    double left = random.nextDouble();
    double[] row = next[state];
    for (int to = 0; to < row.length; to++) {
      left -= row[to];
      if (left < 0) {
        return to;
      }
    }
    return left < back[state] ? BACK : END;
  }

  /** The shares that long walks over this table converge to, computed exactly. */
  public Stationary stationary() {
    return Stationary.of(this);
  }

  private void check() {
    if (back[start] > 0) {
      throw invalid(start, "has a way back, but sessions start with it; remove 'back'");
    }
    boolean[] reached = new boolean[states.size()];
    Deque<Integer> open = new ArrayDeque<>();
    open.add(start);
    reached[start] = true;
    while (!open.isEmpty()) {
      int from = open.remove();
      checkSum(from);
      for (int to = 0; to < states.size(); to++) {
        if (next[from][to] > 0 && !reached[to]) {
          reached[to] = true;
          open.add(to);
        }
      }
    }
    for (int state = 0; state < states.size(); state++) {
      if (reached[state] && !canEnd(state)) {
        throw invalid(state, "never leads to the end of a session; give a state after it an 'end'");
      }
    }
  }

  private void checkSum(int state) {
    double sum = back[state] + end[state];
    boolean negative = back[state] < 0 || end[state] < 0;
    for (double probability : next[state]) {
      sum += probability;
      negative |= probability < 0;
    }
    if (negative || !(Math.abs(sum - 1) <= TOLERANCE)) {
      throw invalid(
          state, "has probabilities that sum to " + sum + "; they must be positive and sum to 1");
    }
  }

  /** Whether links alone lead from the state to one that may end the session. */
  private boolean canEnd(int state) {
    boolean[] reached = new boolean[states.size()];
    Deque<Integer> open = new ArrayDeque<>();
    open.add(state);
    reached[state] = true;
    while (!open.isEmpty()) {
      int from = open.remove();
      if (end[from] > 0 || back[from] > 0) {
        return true;
      }
      for (int to = 0; to < states.size(); to++) {
        if (next[from][to] > 0 && !reached[to]) {
          reached[to] = true;
          open.add(to);
        }
      }
    }
    return false;
  }

  private TerraceException invalid(int state, String problem) {
    return new TerraceException(
        ErrorCode.BAD_INPUT, "state " + states.get(state) + " " + problem + ".");
  }
}
