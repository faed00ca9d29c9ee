package org.terrace.benchmarks.invocation;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** gRPC by itself: a unary method of bytes, called through its blocking client. */
final class GrpcEcho implements AutoCloseable {
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("terrace.bench.Echo/Echo")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private final ManagedChannel channel;

  private GrpcEcho(ManagedChannel channel) {
    this.channel = channel;
  }

  static GrpcEcho connect(String host, int port, boolean direct) {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, port).usePlaintext();
    return new GrpcEcho((direct ? builder.directExecutor() : builder).build());
  }

  byte[] exchange(byte[] bytes) {
    return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, bytes);
  }

  /** Serves for the life of the process and gives the port. */
  static int listen(String host, boolean direct) throws IOException {
    NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(host, 0));
    Server server =
        (direct ? builder.directExecutor() : builder)
            .addService(
                ServerServiceDefinition.builder("terrace.bench.Echo")
                    .addMethod(
                        ECHO,
                        ServerCalls.asyncUnaryCall((request, reply) -> {
                          reply.onNext(request);
                          reply.onCompleted();
                        }))
                    .build())
            .build()
            .start();
    return server.getPort();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
