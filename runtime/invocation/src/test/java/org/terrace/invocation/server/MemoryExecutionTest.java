package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

class MemoryExecutionTest {
  private static final CallReply DONE = new CallReply(CallReply.Status.RESULT, new byte[0]);

  private final MemoryExecution execution = new MemoryExecution();
  private final AtomicInteger effects = new AtomicInteger();

  @Test
  void aClientWithACallUnderWayIsNotForgottenHoweverManyOthersCall() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var slow =
          CompletableFuture.supplyAsync(
              () ->
                  execution.execute(
                      call(0, 1),
                      _ -> {
                        effects.incrementAndGet();
                        begun.countDown();
                        released.await();
                        return DONE;
                      }),
              threads);
      begun.await();
      others();

      var again =
          CompletableFuture.supplyAsync(() -> execution.execute(call(0, 1), _ -> count()), threads);
      released.countDown();

      assertThat(slow.get()).isSameAs(again.get());
    }
    assertThat(effects).hasValue(1);
  }

  @Test
  void theClientsLongestUnheardOfAreForgotten() {
    execution.execute(call(0, 1), _ -> count());
    others();
    execution.execute(call(1, 1), _ -> count());
    execution.execute(call(0, 1), _ -> count());

    assertThat(effects).as("one is forgotten, and no other").hasValue(2);
  }

  @Test
  void clientsWhoseCallsAreStaleAreNotRememberedWithoutBound() {
    for (int client = 0; client < MemoryExecution.CLIENTS_MAX + 10; client++) {
      assertThat(execution.execute(call(client, 1, 2), _ -> count()).status())
          .isEqualTo(CallReply.Status.REJECTED);
    }

    assertThat(effects).hasValue(0);
    assertThat(execution.clients()).isEqualTo(MemoryExecution.CLIENTS_MAX);
  }

  /** As many clients as are remembered call, and this one has been unheard of for longer. */
  private void others() {
    for (int client = 1; client <= MemoryExecution.CLIENTS_MAX; client++) {
      execution.execute(call(client, 1), _ -> DONE);
    }
  }

  private CallReply count() {
    effects.incrementAndGet();
    return DONE;
  }

  private static CallRequest call(long client, long sequence) {
    return call(client, sequence, 1);
  }

  private static CallRequest call(long client, long sequence, long firstIncomplete) {
    return new CallRequest(
        CallRequest.Kind.SERVICE,
        "service",
        "method",
        new RequestIdentity(client, sequence),
        firstIncomplete,
        1_000_000_000L,
        true,
        new byte[0]);
  }
}
