package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.terrace.testing.ManualTimeSource;

/** The two kinds of time limits of a connection, by a clock that is moved by hand. */
class TimeLimitsTest {
  private final ManualTimeSource time = new ManualTimeSource(0);

  @Test
  void aDeadlineHoldsForAllStepsTogether() {
    Deadline deadline = Deadline.in(time, 1_000);
    assertThat(deadline.leftMillis()).isEqualTo(1_000);
    assertThat(deadline.within(400).leftMillis()).isEqualTo(400);
    assertThat(deadline.within(4_000).leftMillis()).isEqualTo(1_000);
    assertThat(deadline.within(0)).isEqualTo(deadline);
    assertThat(deadline.share(4).leftMillis()).isEqualTo(250);
    advance(700);
    assertThat(deadline.leftMillis()).isEqualTo(300);
    assertThat(deadline.share(3).leftMillis()).isEqualTo(100);
    assertThat(deadline.isOver()).isFalse();
    advance(300);
    assertThat(deadline.isOver()).isTrue();
    assertThat(deadline.leftMillis()).as("a socket has no limit of nothing").isEqualTo(1);
  }

  @Test
  void aWriteIsStuckWhenAPartOfItIsNotTaken() throws IOException {
    long limitNanos = TimeUnit.MILLISECONDS.toNanos(100);
    int[] parts = {0};
    WatchedOutput[] watched = new WatchedOutput[1];
    watched[0] =
        new WatchedOutput(
            taking(length -> {
              parts[0]++;
              assertThat(watched[0].isStuck(limitNanos)).isFalse();
              advance(100);
              assertThat(watched[0].isStuck(limitNanos)).isFalse();
              if (parts[0] == 3) {
                advance(1);
                assertThat(watched[0].isStuck(limitNanos)).isTrue();
              }
              assertThat(length).isLessThanOrEqualTo(WatchedOutput.PART_BYTES);
            }),
            time);
    watched[0].write(new byte[3 * WatchedOutput.PART_BYTES]);
    assertThat(parts[0]).isEqualTo(3);
    advance(1_000);
    assertThat(watched[0].isStuck(limitNanos)).as("at rest").isFalse();
  }

  @Test
  void whatIsCutWhileItWasWrittenIsNotStuck() {
    WatchedOutput watched =
        new WatchedOutput(
            taking(length -> {
              throw new IllegalStateException("cut");
            }),
            time);
    assertThatThrownBy(() -> watched.write(new byte[10])).hasMessage("cut");
    advance(1_000);
    assertThat(watched.isStuck(1)).isFalse();
  }

  private void advance(long millis) {
    time.advanceNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** An output that says how much it takes at a time. */
  private static OutputStream taking(Consumer<Integer> taken) {
    return new OutputStream() {
      @Override
      public void write(int one) {
        taken.accept(1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        taken.accept(length);
      }
    };
  }
}
