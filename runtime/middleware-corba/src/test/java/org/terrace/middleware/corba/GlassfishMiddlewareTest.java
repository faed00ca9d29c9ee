package org.terrace.middleware.corba;

import org.terrace.middleware.MiddlewareConformance;

class GlassfishMiddlewareTest extends MiddlewareConformance {
  GlassfishMiddlewareTest() {
    super("glassfish", "127.29.1.4");
  }
}
