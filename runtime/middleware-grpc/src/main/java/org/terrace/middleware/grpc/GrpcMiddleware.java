package org.terrace.middleware.grpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.MiddlewareUnavailableException;

/**
 * A middleware that carries calls over gRPC: one unary method of byte strings, with the identity in
 * the metadata. Thread-safe.
 */
public final class GrpcMiddleware implements Middleware {
  static final String NAME = "grpc";
  private static final String LIBRARIES =
      "io.grpc:grpc-netty-shaded:1.85.1 and io.grpc:grpc-stub:1.85.1";

  private final GrpcOptions options;

  /** gRPC that sends each call once: fail-over is Terrace's. */
  public GrpcMiddleware() {
    this(GrpcOptions.defaults());
  }

  /** gRPC with these options at the client. */
  public GrpcMiddleware(GrpcOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Listener listen(InetSocketAddress address, CallHandler handler) throws IOException {
    try {
      return GrpcListener.open(address, handler);
    } catch (NoClassDefFoundError e) {
      throw missing(e);
    }
  }

  @Override
  public CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException {
    try {
      return GrpcChannel.open(endpoint, timeout, options);
    } catch (NoClassDefFoundError e) {
      throw missing(e);
    }
  }

  private static MiddlewareUnavailableException missing(NoClassDefFoundError e) {
    return new MiddlewareUnavailableException(
        "The middleware " + NAME + " needs its libraries on the class path: add " + LIBRARIES + ".",
        e);
  }
}
