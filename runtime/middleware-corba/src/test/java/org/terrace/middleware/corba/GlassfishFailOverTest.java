package org.terrace.middleware.corba;

import org.terrace.invocation.failover.FailOverConformance;

class GlassfishFailOverTest extends FailOverConformance {
  GlassfishFailOverTest() {
    super("glassfish", "127.63.1.4");
  }
}
