package org.terrace.middleware.grpc;

import org.terrace.middleware.MiddlewareConformance;

class GrpcMiddlewareTest extends MiddlewareConformance {
  GrpcMiddlewareTest() {
    super("grpc", "127.29.1.2");
  }
}
