package org.terrace.invocation;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.terrace.core.RequestIdentity;

/**
 * The history of one call until its caller had an answer: an entry of the attempt log.
 *
 * @param identity the client, and the number of its request
 * @param service the service's name
 * @param method the method's name
 * @param startNanos when it was issued, in nanoseconds since the Unix epoch
 * @param elapsedNanos how long its caller waited
 * @param outcome what is known of its effect
 * @param steps what was done, in the order of their beginning
 */
public record CallRecord(
    RequestIdentity identity,
    String service,
    String method,
    long startNanos,
    long elapsedNanos,
    Outcome outcome,
    List<CallStep> steps) {

  /** Copies the steps. */
  public CallRecord {
    Objects.requireNonNull(identity);
    Objects.requireNonNull(service);
    Objects.requireNonNull(method);
    Objects.requireNonNull(outcome);
    steps = List.copyOf(steps);
  }

  /** Whether it took more than one attempt at one replica. */
  public boolean metFault() {
    return steps.size() > 1;
  }

  /** The time by the parts of the call that took it. */
  public FailOverBreakdown breakdown() {
    long[] parts = new long[5];
    long resend = 0;
    long reply = 0;
    for (CallStep step : steps) {
      switch (step) {
        case CallStep.Lookup lookup -> parts[1] += lookup.elapsedNanos();
        case CallStep.Wait wait -> parts[2] += wait.elapsedNanos();
        case CallStep.Attempt attempt -> {
          parts[3] += attempt.connectNanos();
          parts[4] += attempt.restoreNanos();
          switch (attempt.ending()) {
            case ANSWERED, REFUSED -> {
              resend = attempt.sendNanos();
              reply = attempt.waitNanos();
            }
            case REJECTED, NOT_PRIMARY, DRAINING, FAILED, LOST, NOT_SENT, TIMED_OUT ->
                parts[0] += attempt.sendNanos() + attempt.waitNanos();
            case OVERTAKEN -> parts[0] += untilNext(attempt);
          }
        }
      }
    }
    return new FailOverBreakdown(parts[0], parts[1], parts[2], parts[3], parts[4], resend, reply);
  }

  /** An attempt that was overtaken held the call up until the next one began. */
  private long untilNext(CallStep.Attempt attempt) {
    for (CallStep step : steps) {
      if (step.startNanos() > attempt.startNanos()) {
        return step.startNanos() - attempt.startNanos();
      }
    }
    return 0;
  }

  /** The call and its steps, a line each. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %s.%s: %s in %,.1f µs",
            identity,
            service,
            method,
            outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '),
            elapsedNanos / 1e3));
    for (CallStep step : steps) {
      text.append(String.format(Locale.ROOT, "%n  +%,.1f µs %s", step.startNanos() / 1e3, step));
    }
    return text.toString();
  }
}
