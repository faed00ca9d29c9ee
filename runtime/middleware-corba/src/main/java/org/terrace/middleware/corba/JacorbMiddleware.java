package org.terrace.middleware.corba;

/** A middleware that carries calls over JacORB. Thread-safe. */
public final class JacorbMiddleware extends CorbaMiddleware {
  /** Starts nothing yet. */
  public JacorbMiddleware() {
    super(OrbKind.JACORB);
  }
}
