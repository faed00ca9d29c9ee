package org.terrace.middleware.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/** The server's end: each call runs on a virtual thread of its own. */
final class GrpcListener implements Listener {
  private static final Context.Key<String> IDENTITY = Context.key("terrace-identity");

  private final Server server;
  private final ExecutorService calls;

  private GrpcListener(Server server, ExecutorService calls) {
    this.server = server;
    this.calls = calls;
  }

  static GrpcListener open(InetSocketAddress address, CallHandler handler) throws IOException {
    ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    Server server =
        NettyServerBuilder.forAddress(address)
            .executor(calls)
            .maxInboundMessageSize(Carrier.MESSAGE_BYTES_MAX)
            .addService(ServerInterceptors.intercept(service(handler), new IdentityReader()))
            .build();
    try {
      server.start();
    } catch (IOException e) {
      calls.shutdownNow();
      throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
    }
    return new GrpcListener(server, calls);
  }

  private static ServerServiceDefinition service(CallHandler handler) {
    return ServerServiceDefinition.builder(Carrier.SERVICE)
        .addMethod(
            Carrier.CALL,
            ServerCalls.asyncUnaryCall((request, reply) -> answer(reply, serve(handler, request))))
        .addMethod(
            Carrier.CHECK, ServerCalls.asyncUnaryCall((request, reply) -> answer(reply, request)))
        .build();
  }

  private static byte[] serve(CallHandler handler, byte[] request) {
    RequestIdentity identity;
    try {
      identity = Carrier.identity(IDENTITY.get());
    } catch (MalformedDataException e) {
      return CallCodec.encode(CallCodec.rejection(Objects.requireNonNull(e.getMessage())));
    }
    return CallCodec.serve(handler, identity, request);
  }

  private static void answer(StreamObserver<byte[]> reply, byte[] bytes) {
    reply.onNext(bytes);
    reply.onCompleted();
  }

  @Override
  public Endpoint endpoint(String replica) {
    InetSocketAddress at = (InetSocketAddress) server.getListenSockets().getFirst();
    return new Endpoint(
        replica, GrpcMiddleware.NAME, at.getAddress().getHostAddress(), at.getPort(), "");
  }

  @Override
  public void close() {
    server.shutdownNow();
    calls.shutdownNow();
  }

  /** Hands the identity of the metadata to the method. */
  private static final class IdentityReader implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next) {
      Context context = Context.current().withValue(IDENTITY, metadata.get(Carrier.IDENTITY));
      return Contexts.interceptCall(context, call, metadata, next);
    }
  }
}
