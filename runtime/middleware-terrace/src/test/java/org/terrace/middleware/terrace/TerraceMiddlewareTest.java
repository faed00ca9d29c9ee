package org.terrace.middleware.terrace;

import org.terrace.middleware.MiddlewareConformance;

class TerraceMiddlewareTest extends MiddlewareConformance {
  TerraceMiddlewareTest() {
    super("terrace", "127.29.1.1");
  }
}
