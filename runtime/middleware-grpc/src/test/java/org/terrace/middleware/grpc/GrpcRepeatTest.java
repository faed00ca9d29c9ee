package org.terrace.middleware.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Listener;

@Tag("real-processes")
@Tag("untimed")
class GrpcRepeatTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void aHedgeAnswersWhileTheFirstAttemptHangs() throws Exception {
    AtomicInteger count = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    CallHandler handler =
        request -> {
          if (count.incrementAndGet() == 1) {
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          byte[] identity =
              request.identity().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
          return new CallReply(CallReply.Status.RESULT, identity);
        };
    GrpcMiddleware hedging =
        new GrpcMiddleware(
            GrpcOptions.defaults().withPolicy(new GrpcOptions.Hedge(2, Duration.ofMillis(20))));
    try (Listener listener = hedging.listen(new InetSocketAddress("127.29.1.7", 0), handler);
        CallChannel channel = hedging.connect(listener.endpoint("server1"), PATIENCE)) {
      CallReply reply = channel.call(request(), PATIENCE);

      assertThat(reply.body()).asString().isEqualTo("7/9");
      assertThat(count).hasValue(2);
      never.countDown();
    }
  }

  private static CallRequest request() {
    return new CallRequest(
        "carried", "any", new RequestIdentity(7, 9), 1, PATIENCE.toNanos(), true, new byte[0]);
  }
}
