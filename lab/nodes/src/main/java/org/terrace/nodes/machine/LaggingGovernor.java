package org.terrace.nodes.machine;

import java.util.List;

/**
 * The rule of a frequency governor that lags behind its load, as a control loop of firmware or
 * Linux's {@code conservative} does: it looks at intervals at how busy the processor was and then
 * goes on one state faster or slower. Immutable and pure.
 *
 * <p>Above 80 % it goes up, which is the threshold of {@code conservative} in the Linux kernel.
 * Published accounts of the governor of Dell's firmware name none.
 */
public final class LaggingGovernor {
  /** Busier than this part of an interval, the next one is a state faster. */
  static final double UP = 0.80;

  /** A slower state is chosen if the processor would have been no busier than this in it. */
  static final double DOWN = 0.75;

  private final List<PState> states;

  /** A governor of states, the fastest first. */
  public LaggingGovernor(List<PState> states) {
    this.states = List.copyOf(states);
  }

  /** The state that an idle processor has come to. */
  public PState slowest() {
    return states.getLast();
  }

  /**
   * The state after an interval.
   *
   * @param state the state in the interval
   * @param busy the part of the interval in which the processor worked, 0 to 1
   */
  public PState next(PState state, double busy) {
    int index = states.indexOf(state);
    if (busy > UP && index > 0) {
      return states.get(index - 1);
    }
    if (index < states.size() - 1) {
      PState slower = states.get(index + 1);
      if (busy * state.megahertz() / slower.megahertz() <= DOWN) {
        return slower;
      }
    }
    return state;
  }
}
