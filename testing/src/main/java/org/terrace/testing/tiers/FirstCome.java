package org.terrace.testing.tiers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The simplest stitching of all, and the least that any other has to reach: a call is of the
 * request that is at its caller longest and has called nobody; where all have, of the oldest.
 */
public final class FirstCome {
  private FirstCome() {}

  /**
   * The place of the parent of each call; -1 where none was there.
   *
   * @param calls in the order of their start
   */
  public static int[] parents(List<TierCall> calls) {
    int[] parents = new int[calls.size()];
    Arrays.fill(parents, -1);
    boolean[] used = new boolean[calls.size()];
    Map<String, List<Integer>> present = new HashMap<>();
    for (int place = 0; place < calls.size(); place++) {
      TierCall call = calls.get(place);
      List<Integer> there = present.computeIfAbsent(call.client(), each -> new ArrayList<>());
      there.removeIf(candidate -> calls.get(candidate).endNanos() < call.startNanos());
      int chosen = -1;
      for (int candidate : there) {
        boolean fits = calls.get(candidate).endNanos() >= call.endNanos();
        boolean better = chosen < 0 || (used[chosen] && !used[candidate]);
        chosen = fits && better ? candidate : chosen;
      }
      parents[place] = chosen;
      if (chosen >= 0) {
        used[chosen] = true;
      }
      present.computeIfAbsent(call.server(), each -> new ArrayList<>()).add(place);
    }
    return parents;
  }
}
