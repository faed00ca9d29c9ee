package org.terrace.middleware.ejb;

import org.terrace.invocation.failover.FailOverConformance;

class EjbFailOverTest extends FailOverConformance {
  EjbFailOverTest() {
    super("ejbd", "127.63.1.5");
  }
}
