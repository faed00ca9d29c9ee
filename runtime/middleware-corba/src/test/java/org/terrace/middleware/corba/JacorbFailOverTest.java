package org.terrace.middleware.corba;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.failover.FailOverConformance;

@Tag("real-processes")
@Tag("long")
class JacorbFailOverTest extends FailOverConformance {
  JacorbFailOverTest() {
    super("jacorb", "127.63.1.3");
  }
}
