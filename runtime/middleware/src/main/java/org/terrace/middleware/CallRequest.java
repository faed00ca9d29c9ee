package org.terrace.middleware;

import java.util.Objects;
import org.terrace.core.RequestIdentity;

/**
 * A call on its way: what every middleware carries.
 *
 * @param service the service's name
 * @param method the method's name and signature, as the service's interface registers it
 * @param identity who asks, and their how-manieth request
 * @param firstIncomplete the lowest sequence the client may still send again: replies retained for
 *     lower ones can go (Lee et al., "Implementing linearizability at large scale and low latency",
 *     2015, section 3)
 * @param remainingNanos the time its caller still waits, in nanoseconds
 * @param replyWanted whether this replica's reply is waited for
 * @param arguments the encoded arguments
 */
public record CallRequest(
    String service,
    String method,
    RequestIdentity identity,
    long firstIncomplete,
    long remainingNanos,
    boolean replyWanted,
    byte[] arguments) {

  /** Refuses absent parts. */
  public CallRequest {
    Objects.requireNonNull(service);
    Objects.requireNonNull(method);
    Objects.requireNonNull(identity);
    Objects.requireNonNull(arguments);
  }
}
