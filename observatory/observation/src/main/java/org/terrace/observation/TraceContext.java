package org.terrace.observation;

import java.util.Objects;
import org.terrace.observation.table.Column;

/**
 * The place of a request in its transaction, as stitching or an imported trace tells it. Immutable.
 *
 * @param transaction a number that all requests of one transaction share
 * @param span a number of the request, unique in the observation
 * @param parent the {@code span} of the request that called this one; {@link #NO_PARENT} for the
 *     first of its transaction
 * @param confidence the probability that transaction and parent are right, 0 to 1
 * @param source what tells so: {@code traceparent}, {@code timing} and the like
 */
public record TraceContext(
    long transaction, long span, long parent, double confidence, String source) {
  /** The parent of the first request of a transaction. */
  public static final long NO_PARENT = Column.ABSENT;

  /** Checks the range of the confidence. */
  public TraceContext {
    Objects.requireNonNull(source);
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence + " is not in 0 to 1");
    }
  }
}
