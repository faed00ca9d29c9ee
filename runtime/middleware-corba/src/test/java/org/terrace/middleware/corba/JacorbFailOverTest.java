package org.terrace.middleware.corba;

import org.terrace.invocation.failover.FailOverConformance;

class JacorbFailOverTest extends FailOverConformance {
  JacorbFailOverTest() {
    super("jacorb", "127.63.1.3");
  }
}
