package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction with its requests, as an example of its class. Immutable.
 *
 * @param choice {@code slowest}, the slowest of those with a known call, or of all where none has
 *     one; {@code slowest_complete}, where that is not complete; {@code typical}, a complete one of
 *     median length; {@code failed}, the longest that failed
 * @param startNanos its begin, in nanoseconds since the Unix epoch
 * @param micros its length, in microseconds
 * @param outcome {@code ok}, {@code error}, {@code aborted} or {@code unfinished}
 * @param complete whether no call without a parent could belong to it
 * @param firstFrame its first packet, counted from 1 as Wireshark does; null where packets have no
 *     numbers
 * @param lastFrame its last packet
 * @param displayFilter the filter with which Wireshark shows its packets; null where packets have
 *     no numbers
 * @param spansLeftOut requests that are left out, the shortest
 * @param spans its requests in the order of a walk through its calls, the first request first
 */
public record TransactionExample(
    String choice,
    long startNanos,
    double micros,
    String outcome,
    boolean complete,
    @Nullable Long firstFrame,
    @Nullable Long lastFrame,
    @Nullable String displayFilter,
    int spansLeftOut,
    List<TransactionSpan> spans) {

  /** Copies the list. */
  public TransactionExample {
    spans = List.copyOf(spans);
  }

  /**
   * A request of the transaction.
   *
   * @param parent the place of its caller, in the list; -1 for the first request
   * @param server the server that answered it
   * @param requestClass its class
   * @param startMicros its arrival after the begin of the transaction, in microseconds
   * @param micros its time between arrival and departure, in microseconds
   * @param selfMicros the part of that in which none of its own calls was open
   * @param criticalMicros the part of that in which the transaction waited for it
   * @param confidence the probability that its place in the transaction is right, 0 to 1
   * @param source what tells its place, for example {@code nesting} or {@code trace}
   * @param outcome {@code ok}, {@code error}, {@code aborted} or {@code unfinished}
   * @param firstFrame its first packet; null where packets have no numbers
   * @param lastFrame the last packet of its answer
   */
  public record TransactionSpan(
      int parent,
      String server,
      String requestClass,
      double startMicros,
      double micros,
      double selfMicros,
      double criticalMicros,
      double confidence,
      String source,
      String outcome,
      @Nullable Long firstFrame,
      @Nullable Long lastFrame) {}
}
