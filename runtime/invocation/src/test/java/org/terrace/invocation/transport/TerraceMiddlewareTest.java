package org.terrace.invocation.transport;

import org.terrace.invocation.middleware.MiddlewareConformance;

class TerraceMiddlewareTest extends MiddlewareConformance {
  TerraceMiddlewareTest() {
    super("terrace", "127.29.1.1");
  }
}
