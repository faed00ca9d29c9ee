package org.terrace.middleware.terrace;

import org.junit.jupiter.api.Tag;
import org.terrace.middleware.MiddlewareConformance;

@Tag("real-processes")
@Tag("untimed")
class TerraceMiddlewareTest extends MiddlewareConformance {
  TerraceMiddlewareTest() {
    super("terrace", "127.29.1.1");
  }
}
