package org.terrace.invocation.transport;

import org.terrace.invocation.failover.FailOverConformance;

class TerraceFailOverTest extends FailOverConformance {
  TerraceFailOverTest() {
    super("terrace", "127.63.1.1");
  }
}
