package org.terrace.middleware.corba;

/** Carries calls over JacORB. Thread-safe. */
public final class JacorbMiddleware extends CorbaMiddleware {
  /** Starts nothing yet. */
  public JacorbMiddleware() {
    super(OrbKind.JACORB);
  }
}
