package org.terrace.scaling;

/**
 * The outcome of one class of requests in the run phase of a trial. Immutable.
 *
 * @param name the class
 * @param count the requests that users sent, whatever became of them, and those that users who
 *     waited for an answer without an end did not come to send
 * @param errors those of them that failed, timed out or were not finished, or not sent
 * @param latency the response times of all others, as their users saw them
 */
public record ClassOutcome(String name, long count, long errors, LatencyHistogram latency) {

  /** Checks the counts. */
  public ClassOutcome {
    if (errors < 0 || count < errors) {
      throw new IllegalArgumentException(
          "class " + name + " has " + errors + " errors of " + count + " requests");
    }
    if (latency.total() != count - errors) {
      throw new IllegalArgumentException(
          "class "
              + name
              + ": its histogram holds "
              + latency.total()
              + " of "
              + (count - errors)
              + " requests without an error");
    }
  }
}
