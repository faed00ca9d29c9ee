package org.terrace.middleware.corba;

import org.junit.jupiter.api.Tag;
import org.terrace.middleware.MiddlewareConformance;

@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class GlassfishMiddlewareTest extends MiddlewareConformance {
  GlassfishMiddlewareTest() {
    super("glassfish", "127.29.1.4");
  }
}
