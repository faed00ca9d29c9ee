package org.terrace.invocation.grpc;

import org.terrace.invocation.middleware.MiddlewareConformance;

class GrpcMiddlewareTest extends MiddlewareConformance {
  GrpcMiddlewareTest() {
    super("grpc", "127.29.1.2");
  }
}
