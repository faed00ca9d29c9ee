package org.terrace.invocation.corba;

import org.terrace.invocation.middleware.MiddlewareConformance;

class GlassfishMiddlewareTest extends MiddlewareConformance {
  GlassfishMiddlewareTest() {
    super("glassfish", "127.29.1.4");
  }
}
