package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * A stretch of loads in which profit is not below zero. Between measured loads profit counts as a
 * straight line. Immutable.
 *
 * @param fromUsers where it begins
 * @param measuredFrom whether profit rises to zero there; false where it begins with the least load
 *     that was measured
 * @param toUsers where it ends
 * @param measuredTo whether profit falls to zero there; false where it ends with the most that was
 *     measured
 */
public record BreakEven(
    double fromUsers, boolean measuredFrom, double toUsers, boolean measuredTo) {

  /** The stretches of a profit over loads, in rising order. */
  static List<BreakEven> of(NavigableMap<Integer, Double> profits) {
    List<BreakEven> stretches = new ArrayList<>();
    Double from = null;
    boolean measuredFrom = false;
    Map.Entry<Integer, Double> before = null;
    for (Map.Entry<Integer, Double> here : profits.entrySet()) {
      boolean positive = here.getValue() >= 0;
      if (positive && from == null) {
        measuredFrom = before != null;
        from = before == null ? Double.valueOf(here.getKey()) : Double.valueOf(zero(before, here));
      } else if (!positive && from != null && before != null) {
        stretches.add(new BreakEven(from, measuredFrom, zero(before, here), true));
        from = null;
      }
      before = here;
    }
    if (from != null) {
      stretches.add(new BreakEven(from, measuredFrom, profits.lastKey(), false));
    }
    return stretches;
  }

  private static double zero(Map.Entry<Integer, Double> before, Map.Entry<Integer, Double> after) {
    double share = before.getValue() / (before.getValue() - after.getValue());
    return before.getKey() + share * (after.getKey() - before.getKey());
  }
}
