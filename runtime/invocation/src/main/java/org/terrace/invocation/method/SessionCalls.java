package org.terrace.invocation.method;

/**
 * The names that a client's session is restored by at a replica: a call like any other, over any
 * middleware, answered by the server itself.
 */
public final class SessionCalls {
  /** The service. */
  public static final String SERVICE = "terrace.session";

  /** The method: creates or restores the session of the request's client. */
  public static final String RESTORE = "restore";

  private SessionCalls() {}
}
