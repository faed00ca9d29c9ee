package org.terrace.tracing.transaction;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;

/** The parent and the calls of each row of a table that tells transactions. Immutable. */
final class CallTree {
  /** The row of each row's parent; -1 if it has none. */
  final int[] parent;

  /** The first row of each row's transaction, as its parents lead to it. */
  final int[] root;

  /** The calls of row {@code i} by arrival: {@code calls[from[i], from[i + 1])}. */
  final int[] from;

  final int[] calls;

  CallTree(RequestTable table) {
    int rows = table.size();
    Map<Long, Integer> rowOfSpan = new HashMap<>();
    for (int row = 0; row < rows; row++) {
      TraceContext trace = table.trace(row);
      if (trace != null) {
        rowOfSpan.putIfAbsent(trace.span(), row);
      }
    }
    parent = new int[rows];
    Arrays.fill(parent, -1);
    from = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      TraceContext trace = table.trace(row);
      if (trace != null && trace.parent() != TraceContext.NO_PARENT) {
        parent[row] = rowOfSpan.getOrDefault(trace.parent(), -1);
      }
    }
    root = new int[rows];
    Arrays.fill(root, -1);
    for (int row = 0; row < rows; row++) {
      findRoot(row);
    }
    calls = sorted(rows);
  }

  /** Follows the parents of a row; a circle of them is cut. */
  private void findRoot(int row) {
    int at = row;
    int steps = 0;
    while (root[at] < 0 && parent[at] >= 0) {
      if (steps++ > parent.length) {
        parent[at] = -1;
        break;
      }
      at = parent[at];
    }
    int found = root[at] < 0 ? at : root[at];
    for (int each = row; root[each] < 0; each = parent[each]) {
      root[each] = found;
      if (parent[each] < 0) {
        break;
      }
    }
  }

  private int[] sorted(int rows) {
    for (int row = 0; row < rows; row++) {
      if (parent[row] >= 0) {
        from[parent[row] + 1]++;
      }
    }
    for (int row = 0; row < rows; row++) {
      from[row + 1] += from[row];
    }
    int[] filled = from.clone();
    int[] result = new int[from[rows]];
    for (int row = 0; row < rows; row++) {
      if (parent[row] >= 0) {
        result[filled[parent[row]]++] = row;
      }
    }
    return result;
  }
}
