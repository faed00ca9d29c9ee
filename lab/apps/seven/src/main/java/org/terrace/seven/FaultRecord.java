package org.terrace.seven;

import java.util.List;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.FailOverBreakdown;

/**
 * A measured call that met a fault, as it is written to the file of fail-overs. Times are in
 * nanoseconds.
 *
 * @param client the client's number in hexadecimal
 * @param sequence the call's place among those of its client
 * @param method the method's name
 * @param startNanos when it was issued, since the Unix epoch
 * @param elapsedNanos how long its caller waited
 * @param outcome what is known of its effect
 * @param breakdown where the time went
 * @param steps what was done, in words
 */
record FaultRecord(
    String client,
    long sequence,
    String method,
    long startNanos,
    long elapsedNanos,
    String outcome,
    FailOverBreakdown breakdown,
    List<String> steps) {

  static FaultRecord of(CallRecord call) {
    return new FaultRecord(
        Long.toHexString(call.identity().client()),
        call.identity().sequence(),
        call.method(),
        call.startNanos(),
        call.elapsedNanos(),
        call.outcome().name(),
        call.breakdown(),
        call.steps().stream().map(Object::toString).toList());
  }
}
