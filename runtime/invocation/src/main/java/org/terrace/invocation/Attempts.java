package org.terrace.invocation;

import java.util.List;
import org.terrace.core.RequestIdentity;

/**
 * What one call went through until its caller had an answer. Immutable.
 *
 * @param identity the call
 * @param method the service's and the method's name
 * @param startNanos when it was issued, nanoseconds since the Unix epoch
 * @param elapsedNanos how long its caller waited
 * @param outcome what is known of its effect
 * @param steps what was tried, in order, in words
 * @param breakdown where the time went
 */
public record Attempts(
    RequestIdentity identity,
    String method,
    long startNanos,
    long elapsedNanos,
    Outcome outcome,
    List<String> steps,
    FailOverBreakdown breakdown) {

  /** Copies the steps. */
  public Attempts {
    steps = List.copyOf(steps);
  }
}
