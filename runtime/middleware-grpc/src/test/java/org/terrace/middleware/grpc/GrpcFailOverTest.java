package org.terrace.middleware.grpc;

import org.terrace.invocation.failover.FailOverConformance;

class GrpcFailOverTest extends FailOverConformance {
  GrpcFailOverTest() {
    super("grpc", "127.63.1.2");
  }
}
