package org.terrace.middleware.corba;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.failover.FailOverConformance;

@Tag("real-processes")
@Tag("long")
class GlassfishFailOverTest extends FailOverConformance {
  GlassfishFailOverTest() {
    super("glassfish", "127.63.1.4");
  }
}
