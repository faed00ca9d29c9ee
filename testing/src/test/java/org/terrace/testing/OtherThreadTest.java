package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A wait for another thread, and its end by an interrupt. */
class OtherThreadTest {
  @Test
  void waitsUntilTheOtherThreadHasDoneIt() {
    AtomicBoolean done = new AtomicBoolean();
    Thread other = Thread.startVirtualThread(() -> done.set(true));
    OtherThread.await(() -> other.getState() == Thread.State.TERMINATED);
    assertThat(done).isTrue();
  }

  @Test
  void asksAgainUntilItHolds() {
    AtomicInteger asked = new AtomicInteger();
    OtherThread.await(() -> asked.incrementAndGet() == 3);
    assertThat(asked).hasValue(3);
  }

  @Test
  void anInterruptEndsTheWait() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> OtherThread.await(() -> false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
