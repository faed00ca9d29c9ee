package org.terrace.testing.tiers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The requests that a call may have been made for, as far as only its own times tell. */
public final class Candidates {
  private Candidates() {}

  /** The mean number of requests at the caller within which a call lies, over all calls. */
  public static double mean(List<TierCall> calls) {
    Map<String, List<TierCall>> present = new HashMap<>();
    long candidates = 0;
    long made = 0;
    for (TierCall call : calls) {
      List<TierCall> there = present.get(call.client());
      if (there != null) {
        there.removeIf(each -> each.endNanos() < call.startNanos());
        made++;
        candidates += there.stream().filter(each -> each.endNanos() >= call.endNanos()).count();
      }
      present.computeIfAbsent(call.server(), each -> new ArrayList<>()).add(call);
    }
    return candidates / (double) made;
  }
}
