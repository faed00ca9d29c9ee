package org.terrace.middleware.corba;

/** Carries calls over the GlassFish ORB. Thread-safe. */
public final class GlassfishMiddleware extends CorbaMiddleware {
  /** Starts nothing yet. */
  public GlassfishMiddleware() {
    super(OrbKind.GLASSFISH);
  }
}
