package org.terrace.scaling.search;

import org.jspecify.annotations.Nullable;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.SearchMethod;

/**
 * The rules by which the trials of a mesh are chosen, and what is asked of them. Immutable.
 *
 * @param method how trials are chosen
 * @param prices what servers cost and requests earn; null if no profit is asked for
 * @param mostTrials the most trials under each load, repeats included, 1 or more; of no account
 *     where all are run or a load is sought
 * @param agreement what a load has to keep; null unless the most users are sought
 * @param seed the seed of a random choice
 */
public record SearchRules(
    SearchMethod method,
    @Nullable Prices prices,
    int mostTrials,
    @Nullable Agreement agreement,
    long seed) {
  /** The rule of a mesh that runs all its trials and asks for nothing. */
  public static final SearchRules ALL =
      new SearchRules(SearchMethod.FULL, null, Integer.MAX_VALUE, null, 0);

  /** Checks that there is what the method goes by. */
  public SearchRules {
    if (mostTrials < 1) {
      throw new IllegalArgumentException("a search has 1 trial or more");
    }
    if (method.seeksProfit() && prices == null) {
      throw new IllegalArgumentException("a search for profit has prices");
    }
    if ((method == SearchMethod.BISECTION) == (agreement == null)) {
      throw new IllegalArgumentException("an agreement is for a search of the most users alone");
    }
  }

  /** Whether something is asked of the mesh, so that it has an answer. */
  public boolean asks() {
    return prices != null || agreement != null;
  }
}
