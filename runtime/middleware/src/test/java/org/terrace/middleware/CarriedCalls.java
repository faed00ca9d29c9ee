package org.terrace.middleware;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A replica's end for tests: what it does is the call's method. Thread-safe. */
public final class CarriedCalls implements CallHandler {
  /** Gives the arguments back. */
  public static final String ECHO = "echo";

  /** Says that the rules refuse it. */
  public static final String REFUSE = "refuse";

  /** Says that this is no primary. */
  public static final String NOT_PRIMARY = "not-primary";

  /** Gives everything but the arguments back as text. */
  public static final String DESCRIBE = "describe";

  /** Gives as many bytes as the arguments say. */
  public static final String SIZED = "sized";

  /** Blocks until {@link #release}. */
  public static final String BLOCK = "block";

  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch entered = new CountDownLatch(1);
  private final AtomicInteger count = new AtomicInteger();

  /** The number of calls that came. */
  public int count() {
    return count.get();
  }

  /** Counts down when a call begins to block. */
  public CountDownLatch entered() {
    return entered;
  }

  /** Lets blocked calls go on. */
  public void release() {
    released.countDown();
  }

  @Override
  public CallReply handle(CallRequest request) {
    count.incrementAndGet();
    return switch (request.method()) {
      case ECHO -> reply(CallReply.Status.RESULT, request.arguments());
      case REFUSE -> reply(CallReply.Status.REFUSED, request.arguments());
      case NOT_PRIMARY -> reply(CallReply.Status.NOT_PRIMARY, new byte[0]);
      case DESCRIBE -> reply(CallReply.Status.RESULT, describe(request));
      case SIZED ->
          reply(CallReply.Status.RESULT, new byte[ByteBuffer.wrap(request.arguments()).getInt()]);
      case BLOCK -> block(request);
      default -> CallCodec.rejection("there is no method " + request.method());
    };
  }

  private CallReply block(CallRequest request) {
    entered.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return reply(CallReply.Status.FAILED, "interrupted".getBytes(StandardCharsets.UTF_8));
    }
    return reply(CallReply.Status.RESULT, request.arguments());
  }

  private static CallReply reply(CallReply.Status status, byte[] body) {
    return new CallReply(status, body);
  }

  /** All parts of a request but its arguments and remaining time. */
  public static byte[] describe(CallRequest request) {
    return "%s %s %s %d"
        .formatted(
            request.service(), request.method(), request.identity(), request.firstIncomplete())
        .getBytes(StandardCharsets.UTF_8);
  }
}
