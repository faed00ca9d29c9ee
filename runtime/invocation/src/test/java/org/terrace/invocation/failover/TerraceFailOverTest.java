package org.terrace.invocation.failover;

class TerraceFailOverTest extends FailOverConformance {
  TerraceFailOverTest() {
    super("terrace", "127.63.1.1");
  }
}
