package org.terrace.invocation.failover;

import org.junit.jupiter.api.Tag;

@Tag("real-processes")
class TerraceFailOverTest extends FailOverConformance {
  TerraceFailOverTest() {
    super("terrace", "127.63.1.1");
  }
}
