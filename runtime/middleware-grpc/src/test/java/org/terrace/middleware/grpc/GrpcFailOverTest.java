package org.terrace.middleware.grpc;

import org.junit.jupiter.api.Tag;
import org.terrace.invocation.failover.FailOverConformance;

@Tag("real-processes")
@Tag("long")
class GrpcFailOverTest extends FailOverConformance {
  GrpcFailOverTest() {
    super("grpc", "127.63.1.2");
  }
}
