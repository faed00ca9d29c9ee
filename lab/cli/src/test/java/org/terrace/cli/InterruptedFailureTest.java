package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** Failures beside an interrupt, which may reach a child process before the command itself. */
@Timeout(30)
@Tag("real-processes")
class InterruptedFailureTest {
  private static final TerraceException CHILD =
      new TerraceException(ErrorCode.MACHINE_LACKS, "a child ended with exit status 130");

  private final CountDownLatch ending = new CountDownLatch(1);

  @Test
  void aFailureJustBeforeTheInterruptIsTheInterrupts() throws InterruptedException {
    Thread late =
        Thread.startVirtualThread(() -> {
          try {
            if (!ending.await(50, TimeUnit.MILLISECONDS)) {
              ending.countDown();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    assertThat(Terrace.isInterrupted(CHILD, ending)).isTrue();
    assertThat(Terrace.isInterrupted(new IllegalStateException(), ending)).isTrue();
    late.join();
  }

  @Test
  void aFailureWithoutAnInterruptIsItsOwn() throws InterruptedException {
    assertThat(Terrace.isInterrupted(CHILD, ending)).isFalse();
  }
}
