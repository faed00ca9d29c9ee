package org.terrace.protocols.http2;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A real server of gRPC with calls of every kind, and a real client of it. */
final class GrpcPeer implements AutoCloseable {
  /** Messages of each stream. */
  static final int STREAMED = 5;

  private static final String SERVICE = "example.Echo";
  private static final MethodDescriptor<byte[], byte[]> SAY = method("Say", MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> FAIL = method("Fail", MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> WAIT = method("Wait", MethodType.UNARY);
  private static final MethodDescriptor<byte[], byte[]> COUNT =
      method("Count", MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<byte[], byte[]> SUM =
      method("Sum", MethodType.CLIENT_STREAMING);
  private static final MethodDescriptor<byte[], byte[]> CHAT =
      method("Chat", MethodType.BIDI_STREAMING);

  private final Server server;
  private final CountDownLatch waiting = new CountDownLatch(1);

  GrpcPeer() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service())
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new PlainMarshaller())
        .setResponseMarshaller(new PlainMarshaller())
        .build();
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(SAY, ServerCalls.asyncUnaryCall((said, reply) -> answer(reply, said, 1)))
        .addMethod(
            FAIL,
            ServerCalls.asyncUnaryCall(
                (said, reply) -> reply.onError(Status.FAILED_PRECONDITION.asRuntimeException())))
        .addMethod(WAIT, ServerCalls.asyncUnaryCall((said, reply) -> waiting.countDown()))
        .addMethod(
            COUNT,
            ServerCalls.asyncServerStreamingCall((said, reply) -> answer(reply, said, STREAMED)))
        .addMethod(SUM, ServerCalls.asyncClientStreamingCall(reply -> new Answering(reply, false)))
        .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(reply -> new Answering(reply, true)))
        .build();
  }

  private static void answer(StreamObserver<byte[]> reply, byte[] said, int times) {
    for (int i = 0; i < times; i++) {
      reply.onNext(said);
    }
    reply.onCompleted();
  }

  /** Makes calls of every kind on one connection, some of them at once. */
  void call(int port, int times) throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .build();
    try {
      for (int i = 0; i < times; i++) {
        ClientCalls.blockingUnaryCall(channel, SAY, CallOptions.DEFAULT, new byte[10 + i]);
      }
      ClientCalls.blockingUnaryCall(channel, SAY, CallOptions.DEFAULT, new byte[40_000]);
      fail(channel);
      Iterator<byte[]> counted =
          ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, new byte[7]);
      counted.forEachRemaining(each -> {});
      stream(channel, SUM);
      stream(channel, CHAT);
      interleave(channel, times);
      cancel(channel);
    } finally {
      channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static void fail(ManagedChannel channel) {
    try {
      ClientCalls.blockingUnaryCall(channel, FAIL, CallOptions.DEFAULT, new byte[1]);
      throw new AssertionError("the call did not fail");
    } catch (StatusRuntimeException expected) {
      if (expected.getStatus().getCode() != Status.Code.FAILED_PRECONDITION) {
        throw expected;
      }
    }
  }

  private static void stream(ManagedChannel channel, MethodDescriptor<byte[], byte[]> method)
      throws InterruptedException {
    CallEnd ending = new CallEnd();
    ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
    StreamObserver<byte[]> said =
        method.getType() == MethodType.BIDI_STREAMING
            ? ClientCalls.asyncBidiStreamingCall(call, ending)
            : ClientCalls.asyncClientStreamingCall(call, ending);
    for (int i = 0; i < STREAMED; i++) {
      said.onNext(new byte[20]);
    }
    said.onCompleted();
    ending.await();
  }

  private static void interleave(ManagedChannel channel, int times) throws InterruptedException {
    List<CallEnd> endings = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      CallEnd ending = new CallEnd();
      endings.add(ending);
      ClientCalls.asyncUnaryCall(
          channel.newCall(SAY, CallOptions.DEFAULT), new byte[2_000 * i], ending);
    }
    for (CallEnd ending : endings) {
      ending.await();
    }
  }

  private void cancel(ManagedChannel channel) throws InterruptedException {
    ClientCall<byte[], byte[]> call = channel.newCall(WAIT, CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage(new byte[3]);
    call.halfClose();
    call.request(1);
    waiting.await();
    call.cancel("enough", null);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** The end of a call. */
  private static final class CallEnd implements StreamObserver<byte[]> {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onNext(byte[] value) {}

    @Override
    public void onError(Throwable t) {
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }

    void await() throws InterruptedException {
      if (!ended.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("a call does not end");
      }
    }
  }

  /** An answer to each message, or one to all of them. */
  private record Answering(StreamObserver<byte[]> reply, boolean each)
      implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] value) {
      if (each) {
        reply.onNext(value);
      }
    }

    @Override
    public void onError(Throwable t) {}

    @Override
    public void onCompleted() {
      if (!each) {
        reply.onNext(new byte[1]);
      }
      reply.onCompleted();
    }
  }

  /** Messages as they are. */
  private static final class PlainMarshaller implements MethodDescriptor.Marshaller<byte[]> {
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
