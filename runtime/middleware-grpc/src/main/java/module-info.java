/** Calls over gRPC. */
@org.jspecify.annotations.NullMarked
module org.terrace.middleware.grpc {
  requires com.google.common;
  requires io.grpc;
  requires io.grpc.netty.shaded;
  requires io.grpc.stub;
  requires transitive org.terrace.middleware;

  exports org.terrace.middleware.grpc;

  provides org.terrace.middleware.Middleware with
      org.terrace.middleware.grpc.GrpcMiddleware;
}
