package org.terrace.tracing.stitch;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.terrace.observation.RequestTable;

/** The simplest of all: a call is of the request that is there longest and has called nobody. */
final class FirstCome {
  private FirstCome() {}

  static Parents parentsOf(RequestTable table) {
    Parents parents = new Parents(table.size());
    for (String server : table.servers()) {
      int client = table.clients().indexOf(server);
      int[] calls =
          IntStream.range(0, table.size()).filter(row -> table.client(row) == client).toArray();
      if (client < 0 || calls.length == 0) {
        continue;
      }
      CallerCalls each = new CallerCalls(table, table.rowsOf(server), calls);
      boolean[] used = new boolean[each.parents()];
      for (int call = 0; call < each.calls(); call++) {
        int[] candidates =
            Arrays.copyOfRange(each.candidates, each.from[call], each.from[call + 1]);
        int chosen =
            Arrays.stream(candidates)
                .filter(i -> !used[i])
                .findFirst()
                .orElse(candidates.length == 0 ? -1 : candidates[0]);
        if (chosen < 0) {
          parents.unknown(calls[call]);
        } else {
          used[chosen] = true;
          parents.known(calls[call], each.parentRows[chosen], 1, ParentEvidence.TIMING);
        }
      }
    }
    return parents;
  }
}
