package org.terrace.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The pace of the users of a run: how fast the time in which they think, or in which an open load's
 * requests arrive, passes beside the clock. Users who think exponentially so become a Poisson
 * process whose rate the pace multiplies. Immutable.
 *
 * @param calm the pace outside of bursts, above zero; 1 is that of the clock
 * @param bursts stretches in which users are in more of a hurry; where they overlap their factors
 *     multiply
 */
public record LoadPace(double calm, List<Burst> bursts) {
  /** The pace of the clock. */
  public static final LoadPace STEADY = new LoadPace(1, List.of());

  /** The most bursts of one run. */
  public static final int MAXIMUM_BURSTS = 100_000;

  /** Copies the bursts and checks the ranges. */
  public LoadPace {
    bursts = List.copyOf(bursts);
    if (!(calm > 0 && calm <= 1_000)) {
      throw LoadPlan.invalid("pace.calm", calm, "above 0, at most 1000");
    }
    if (bursts.size() > MAXIMUM_BURSTS) {
      throw LoadPlan.invalid("pace.bursts", bursts.size(), "at most " + MAXIMUM_BURSTS);
    }
  }

  /** The same with more bursts. */
  public LoadPace with(List<Burst> more) {
    List<Burst> all = new ArrayList<>(bursts);
    all.addAll(more);
    return new LoadPace(calm, all);
  }

  /**
   * A stretch in which users are in more of a hurry.
   *
   * @param at its start, from the start of the run
   * @param length how long it lasts, above zero
   * @param factor how many times faster than at other times, above zero and at most {@value
   *     #MAXIMUM_FACTOR}
   * @param isFault whether it was planned as a fault, and not part of the load's own burstiness
   */
  public record Burst(Duration at, Duration length, double factor, boolean isFault) {
    /** The largest factor. */
    public static final double MAXIMUM_FACTOR = 1_000;

    /** Checks the ranges. */
    public Burst {
      if (at.isNegative() || length.isNegative() || length.isZero()) {
        throw LoadPlan.invalid("pace.bursts", at + " for " + length, "a time above zero");
      }
      if (!(factor > 0 && factor <= MAXIMUM_FACTOR)) {
        throw LoadPlan.invalid("pace.bursts.factor", factor, "above 0, at most " + MAXIMUM_FACTOR);
      }
    }
  }
}
