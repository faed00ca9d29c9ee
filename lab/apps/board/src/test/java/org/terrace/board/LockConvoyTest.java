package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

@Tag("real-processes")
@Timeout(120)
class LockConvoyTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int THREADS = 5;

  private final TimeSource time = TimeSource.system();

  @Test
  void requestsWaitForEachOtherWhileItLastsAndNoLonger() throws InterruptedException {
    LockConvoy convoy = new LockConvoy();
    Thread lasting = Thread.ofPlatform().daemon().start(() -> last(convoy));
    assertThat(Await.until(SOON, () -> lasting.getState() == Thread.State.TIMED_WAITING)).isTrue();
    List<Thread> requests = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      requests.add(Thread.ofPlatform().daemon().start(() -> passAgainAndAgain(convoy)));
    }

    assertThat(
            Await.until(
                SOON,
                () ->
                    requests.stream()
                            .filter(thread -> thread.getState() == Thread.State.BLOCKED)
                            .count()
                        == THREADS - 1))
        .isTrue();

    lasting.interrupt();
    lasting.join();
    for (Thread request : requests) {
      request.interrupt();
      request.join();
    }
    convoy.pass(time);
  }

  private void last(LockConvoy convoy) {
    try {
      convoy.last(Duration.ofHours(1), time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void passAgainAndAgain(LockConvoy convoy) {
    while (!Thread.currentThread().isInterrupted()) {
      convoy.pass(time);
    }
  }
}
