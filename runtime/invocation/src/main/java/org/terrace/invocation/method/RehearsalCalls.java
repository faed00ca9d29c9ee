package org.terrace.invocation.method;

import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallRequest;

/**
 * The calls that keep a replica warm: they take the way of a call of the service, and are answered
 * by the server itself, without the service's methods and without effects.
 */
public final class RehearsalCalls {
  /** The method, of every service. */
  public static final String METHOD = "terrace.rehearse";

  private static final byte[] NO_BYTES = {};

  private RehearsalCalls() {}

  /** A rehearsal of the service; its sequence chooses the method that is rehearsed. */
  public static CallRequest request(String service, RequestIdentity identity, long timeoutNanos) {
    return new CallRequest(
        service, METHOD, identity, identity.sequence(), timeoutNanos, true, NO_BYTES);
  }
}
