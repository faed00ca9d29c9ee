package org.terrace.middleware.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/** A client's connection to one replica. It ends when gRPC says that it is no longer ready. */
final class GrpcChannel implements CallChannel {
  private static final byte[] NO_BYTES = {};
  private static final CallReply NOTHING = new CallReply(CallReply.Status.RESULT, NO_BYTES);
  private static final long IDLE_DAYS_MAX = 30;

  private final Endpoint endpoint;
  private final ManagedChannel managed;
  private final Channel channel;
  private final AtomicReference<@Nullable Runnable> closedHandler = new AtomicReference<>();
  private final boolean repeats;
  private volatile boolean open = true;

  private GrpcChannel(Endpoint endpoint, ManagedChannel managed, boolean repeats) {
    this.endpoint = endpoint;
    this.managed = managed;
    this.repeats = repeats;
    channel = io.grpc.ClientInterceptors.intercept(managed, new IdentityWriter());
  }

  static GrpcChannel open(Endpoint endpoint, Duration timeout, GrpcOptions options)
      throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(new InetSocketAddress(endpoint.host(), endpoint.port()))
            .usePlaintext()
            .directExecutor()
            .idleTimeout(IDLE_DAYS_MAX, TimeUnit.DAYS)
            .maxInboundMessageSize(Carrier.MESSAGE_BYTES_MAX + 1)
            .defaultServiceConfig(options.serviceConfig());
    if (options.policy().isPresent()) {
      builder.enableRetry();
    } else {
      builder.disableRetry();
    }
    ManagedChannel managed = builder.build();
    try {
      awaitReady(managed, endpoint, timeout);
    } catch (IOException e) {
      managed.shutdownNow();
      throw e;
    }
    GrpcChannel opened = new GrpcChannel(endpoint, managed, options.policy().isPresent());
    managed.notifyWhenStateChanged(ConnectivityState.READY, opened::end);
    return opened;
  }

  private static void awaitReady(ManagedChannel managed, Endpoint endpoint, Duration timeout)
      throws IOException {
    CompletableFuture<Boolean> ready = new CompletableFuture<>();
    follow(managed, ready);
    try {
      if (!ready.get(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException("no connection to " + endpoint + ": refused");
      }
    } catch (TimeoutException e) {
      throw new IOException("no connection to " + endpoint + " within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while connecting to " + endpoint, e);
    } catch (ExecutionException e) {
      throw new IOException("no connection to " + endpoint + ": " + e.getCause(), e);
    }
  }

  private static void follow(ManagedChannel managed, CompletableFuture<Boolean> ready) {
    ConnectivityState state = managed.getState(true);
    switch (state) {
      case READY -> ready.complete(true);
      case TRANSIENT_FAILURE, SHUTDOWN -> ready.complete(false);
      case IDLE, CONNECTING -> managed.notifyWhenStateChanged(state, () -> follow(managed, ready));
    }
  }

  @Override
  public CallReply call(CallRequest request, Duration timeout) throws CallFailedException {
    GrpcCall sent = begin(request, timeout.toNanos());
    CallReply reply = sent.await(timeout.toNanos());
    if (reply == null) {
      sent.abandon();
      throw new CallFailedException(true, true, endpoint + " gave no reply in time", null);
    }
    return reply;
  }

  @Override
  public GrpcCall begin(CallRequest request) throws CallFailedException {
    return begin(request, request.remainingNanos());
  }

  private GrpcCall begin(CallRequest request, long timeoutNanos) throws CallFailedException {
    requireOpen();
    byte[] bytes = CallCodec.encode(request);
    if (bytes.length > Carrier.MESSAGE_BYTES_MAX) {
      throw new CallFailedException(
          false, false, "a call of " + bytes.length + " bytes is too large to be sent", null);
    }
    SentTracer tracer = new SentTracer(repeats);
    CallOptions options =
        CallOptions.DEFAULT
            .withOption(Carrier.IDENTITY_OPTION, request.identity())
            .withStreamTracerFactory(tracer)
            .withDeadlineAfter(Math.max(1, timeoutNanos), TimeUnit.NANOSECONDS);
    var future = ClientCalls.futureUnaryCall(channel.newCall(Carrier.CALL, options), bytes);
    return new GrpcCall(future, tracer, endpoint, request.replyWanted() ? null : NOTHING);
  }

  @Override
  public void check(Duration timeout) throws CallFailedException {
    requireOpen();
    SentTracer tracer = new SentTracer(repeats);
    CallOptions options =
        CallOptions.DEFAULT
            .withStreamTracerFactory(tracer)
            .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    var future = ClientCalls.futureUnaryCall(channel.newCall(Carrier.CHECK, options), NO_BYTES);
    if (new GrpcCall(future, tracer, endpoint, null).awaitBytes(timeout.toNanos()) == null) {
      throw new CallFailedException(true, true, endpoint + " gave no reply in time", null);
    }
  }

  private void requireOpen() throws CallFailedException {
    if (!open) {
      throw new CallFailedException(false, false, "the connection to " + endpoint + " ended", null);
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void onClosed(Runnable handler) {
    closedHandler.set(handler);
    if (!open) {
      runClosedHandler();
    }
  }

  private void runClosedHandler() {
    Runnable handler = closedHandler.getAndSet(null);
    if (handler != null) {
      handler.run();
    }
  }

  /** Lets calls under way see the end for themselves; a new channel is opened for new ones. */
  private void end() {
    open = false;
    managed.shutdown();
    runClosedHandler();
  }

  @Override
  public void close() {
    end();
    managed.shutdownNow();
  }

  /** Puts a call's identity into its metadata. */
  private static final class IdentityWriter implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      RequestIdentity identity = options.getOption(Carrier.IDENTITY_OPTION);
      ClientCall<Q, R> call = next.newCall(method, options);
      if (identity == null) {
        return call;
      }
      return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
        @Override
        public void start(Listener<R> listener, Metadata metadata) {
          metadata.put(Carrier.IDENTITY, identity.toString());
          super.start(listener, metadata);
        }
      };
    }
  }
}
