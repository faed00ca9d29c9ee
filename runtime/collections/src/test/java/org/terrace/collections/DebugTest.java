package org.terrace.collections;

import org.junit.jupiter.api.Test;

class DebugTest {
  @Test
  void debug() {
    long first = Long.getLong("debug.seed", 1);
    int bad = 0;
    for (long seed = first; seed < first + Integer.getInteger("debug.n", 300); seed++) {
      SimulatedCluster c = SimulatedHistories.restarts(seed, WatchedState::new);
      var v = c.violations();
      if (!v.isEmpty() || c.writersMax() > c.names.size()) {
        bad++;
        System.out.println("seed " + seed + " writers " + c.writersMax() + " " + v);
        if (bad == 1)
          for (Call call : c.calls)
            System.out.println(
                call.key
                    + " "
                    + call.value
                    + " seen "
                    + call.seen
                    + " "
                    + Long.toHexString(call.dot.writer())
                    + ":"
                    + call.dot.sequence()
                    + " acked "
                    + call.acknowledged
                    + " applied "
                    + c.isApplied(call.dot)
                    + " level "
                    + call.level);
      }
    }
    System.out.println("bad " + bad);
  }
}
