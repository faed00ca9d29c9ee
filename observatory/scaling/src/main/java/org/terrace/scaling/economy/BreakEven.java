package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of loads in which profit is not below zero. Between measured loads profit counts as a
 * straight line, unless trials failed at a load between them: there the stretch ends, since nothing
 * is known beyond. Immutable.
 *
 * @param fromUsers where it begins
 * @param measuredFrom whether profit rises to zero there; false where it begins with a load that
 *     was measured, the least or one with failed trials below it
 * @param failedBelow the load next to its beginning at which trials failed; null where profit rises
 *     to zero there, or none failed below
 * @param toUsers where it ends
 * @param measuredTo whether profit falls to zero there; false where it ends with a load that was
 *     measured, the most or one with failed trials above it
 * @param failedAbove the load next to its end at which trials failed; null where profit falls to
 *     zero there, or none failed above
 */
public record BreakEven(
    double fromUsers,
    boolean measuredFrom,
    @Nullable Integer failedBelow,
    double toUsers,
    boolean measuredTo,
    @Nullable Integer failedAbove) {

  /**
   * The stretches of a profit over loads, in rising order.
   *
   * @param lost loads of which nothing is known, since most trials failed
   */
  static List<BreakEven> of(NavigableMap<Integer, Double> profits, NavigableSet<Integer> lost) {
    List<BreakEven> stretches = new ArrayList<>();
    int from = profits.firstKey();
    for (int users : profits.navigableKeySet()) {
      Integer next = profits.higherKey(users);
      if (next == null || !lost.subSet(users, next).isEmpty()) {
        stretches.addAll(unbroken(profits.subMap(from, true, users, true), lost));
        from = next == null ? users : next;
      }
    }
    return stretches;
  }

  /** The stretches of a profit over loads with no lost one between them. */
  private static List<BreakEven> unbroken(
      NavigableMap<Integer, Double> profits, NavigableSet<Integer> lost) {
    List<BreakEven> stretches = new ArrayList<>();
    Integer failedBelow = lost.lower(profits.firstKey());
    Integer failedAbove = lost.higher(profits.lastKey());
    Double from = null;
    boolean measuredFrom = false;
    Map.Entry<Integer, Double> before = null;
    for (Map.Entry<Integer, Double> here : profits.entrySet()) {
      boolean positive = here.getValue() >= 0;
      if (positive && from == null) {
        measuredFrom = before != null;
        from = before == null ? Double.valueOf(here.getKey()) : Double.valueOf(zero(before, here));
      } else if (!positive && from != null && before != null) {
        stretches.add(
            new BreakEven(
                from,
                measuredFrom,
                measuredFrom ? null : failedBelow,
                zero(before, here),
                true,
                null));
        from = null;
      }
      before = here;
    }
    if (from != null) {
      stretches.add(
          new BreakEven(
              from,
              measuredFrom,
              measuredFrom ? null : failedBelow,
              profits.lastKey(),
              false,
              failedAbove));
    }
    return stretches;
  }

  private static double zero(Map.Entry<Integer, Double> before, Map.Entry<Integer, Double> after) {
    double share = before.getValue() / (before.getValue() - after.getValue());
    return before.getKey() + share * (after.getKey() - before.getKey());
  }
}
