package org.terrace.middleware.ejb;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.failover.FailOverConformance;

@Tag("real-processes")
@Tag("long")
class EjbFailOverTest extends FailOverConformance {
  EjbFailOverTest() {
    super("ejbd", "127.63.1.5");
  }
}
