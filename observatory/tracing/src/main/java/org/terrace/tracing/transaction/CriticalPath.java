package org.terrace.tracing.transaction;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.IntStream;
import org.terrace.observation.RequestTable;

/**
 * The time of requests divided among them and their calls. A request's self-time is that in which
 * none of its calls was open. The critical path goes back from its end: it is at the call that
 * ended last before, and so on; whoever is on it at a moment is who the transaction waited for.
 */
final class CriticalPath {
  private final RequestTable table;
  private final CallTree tree;

  CriticalPath(RequestTable table, CallTree tree) {
    this.table = table;
    this.tree = tree;
  }

  /** The receiver of stretches of the path. */
  interface Stretch {
    void add(int row, long nanos);
  }

  /** A request of which the path is still to be followed, up to a moment. */
  private record Part(int row, long until) {}

  /** The time of a request in which none of its calls was open, in nanoseconds. */
  long selfNanos(int row) {
    long begin = table.arrivalNanos(row);
    long end = table.departureNanos(row);
    long self = 0;
    long covered = begin;
    for (int i = tree.from[row]; i < tree.from[row + 1]; i++) {
      int call = tree.calls[i];
      long from = Math.max(begin, table.arrivalNanos(call));
      self += Math.max(0, Math.min(end, from) - covered);
      covered = Math.max(covered, Math.min(end, table.departureNanos(call)));
    }
    return self + end - covered;
  }

  /** Follows the path of a transaction; its stretches make up the time of the first request. */
  void follow(int first, Stretch stretch) {
    Deque<Part> parts = new ArrayDeque<>();
    parts.add(new Part(first, table.departureNanos(first)));
    while (!parts.isEmpty()) {
      Part part = parts.removeLast();
      long cursor = part.until;
      long begin = table.arrivalNanos(part.row);
      long own = 0;
      int[] calls =
          IntStream.range(tree.from[part.row], tree.from[part.row + 1])
              .map(i -> tree.calls[i])
              .boxed()
              .sorted(Comparator.comparingLong(table::departureNanos).reversed())
              .mapToInt(Integer::intValue)
              .toArray();
      for (int call : calls) {
        long end = table.departureNanos(call);
        long start = Math.max(begin, table.arrivalNanos(call));
        // A call that was open beside one on the path was not what was waited for.
        if (end <= cursor && start < end) {
          own += cursor - end;
          parts.add(new Part(call, end));
          cursor = start;
        }
      }
      stretch.add(part.row, own + Math.max(0, cursor - begin));
    }
  }
}
