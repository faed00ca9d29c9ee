package org.terrace.middleware.grpc;

import org.junit.jupiter.api.Tag;
import org.terrace.middleware.MiddlewareConformance;

@Tag("real-processes")
@Tag("long")
class GrpcMiddlewareTest extends MiddlewareConformance {
  GrpcMiddlewareTest() {
    super("grpc", "127.29.1.2");
  }
}
