package org.terrace.invocation.grpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.terrace.invocation.Profile;
import org.terrace.invocation.middleware.CallChannel;
import org.terrace.invocation.middleware.CallHandler;
import org.terrace.invocation.middleware.Listener;
import org.terrace.invocation.middleware.Middleware;

/**
 * Carries calls over gRPC: one unary method of byte strings, with the identity in the metadata.
 * Thread-safe.
 */
public final class GrpcMiddleware implements Middleware {
  static final String NAME = "grpc";

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
    return GrpcListener.open(address, handler);
  }

  @Override
  public CallChannel connect(Profile profile, Duration timeout) throws IOException {
    return GrpcChannel.open(profile, timeout, options);
  }
}
