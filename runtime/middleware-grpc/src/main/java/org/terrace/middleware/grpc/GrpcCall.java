package org.terrace.middleware.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.PendingCall;

/** A call that was handed to gRPC. */
final class GrpcCall implements PendingCall {
  private final ListenableFuture<byte[]> future;
  private final SentTracer tracer;
  private final Endpoint endpoint;
  private final @Nullable CallReply known;

  /**
   * A call under way.
   *
   * @param known the reply if none is waited for
   */
  GrpcCall(
      ListenableFuture<byte[]> future,
      SentTracer tracer,
      Endpoint endpoint,
      @Nullable CallReply known) {
    this.future = future;
    this.tracer = tracer;
    this.endpoint = endpoint;
    this.known = known;
  }

  @Override
  public @Nullable CallReply await(long patienceNanos) throws CallFailedException {
    if (known != null) {
      return known;
    }
    byte[] bytes = awaitBytes(patienceNanos);
    return bytes == null ? null : decode(bytes);
  }

  byte @Nullable [] awaitBytes(long patienceNanos) throws CallFailedException {
    try {
      return future.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailedException(tracer.sent(), false, "the caller was interrupted", e);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private CallReply decode(byte[] bytes) throws CallFailedException {
    try {
      return CallCodec.decodeReply(bytes);
    } catch (MalformedDataException e) {
      throw new CallFailedException(true, false, endpoint + " replied: " + e.getMessage(), e);
    }
  }

  private CallFailedException failure(@Nullable Throwable cause) {
    Status status = cause == null ? Status.UNKNOWN : Status.fromThrowable(cause);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return new CallFailedException(
          tracer.sent(), true, endpoint + " gave no reply in time", cause);
    }
    return new CallFailedException(
        tracer.sent(), false, endpoint + " is gone: " + status.getDescription(), cause);
  }

  @Override
  public void detach(Sink sink) {
    if (known != null) {
      sink.replied(known);
      return;
    }
    future.addListener(() -> tell(sink), Runnable::run);
  }

  private void tell(Sink sink) {
    try {
      sink.replied(decode(future.get()));
    } catch (CallFailedException e) {
      sink.failed(e);
    } catch (ExecutionException e) {
      sink.failed(failure(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      sink.failed(new CallFailedException(true, false, "the caller was interrupted", e));
    } catch (java.util.concurrent.CancellationException e) {
      sink.failed(new CallFailedException(tracer.sent(), false, "the call was cancelled", e));
    }
  }

  @Override
  public void abandon() {
    future.cancel(true);
  }
}
