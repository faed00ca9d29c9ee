package org.terrace.middleware.corba;

/** A middleware that carries calls over the GlassFish ORB. Thread-safe. */
public final class GlassfishMiddleware extends CorbaMiddleware {
  /** Starts nothing yet. */
  public GlassfishMiddleware() {
    super(OrbKind.GLASSFISH);
  }
}
