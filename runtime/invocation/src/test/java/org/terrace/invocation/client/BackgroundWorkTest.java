package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;

/** The background work of a client, which goes on after what fails in it. */
@Tag("real-processes")
@Tag("untimed")
class BackgroundWorkTest {
  private static final long PATIENCE_SECONDS = 60;

  @Test
  void aRoundThatFailsIsFollowedByOthers() throws InterruptedException {
    CountDownLatch rounds = new CountDownLatch(2);
    ReplicaLinks links =
        new ReplicaLinks(
            ClientOptions.of(Naming.fixed("none", Style.NONE)),
            () -> 1,
            TimeSource.system(),
            () -> {
              rounds.countDown();
              throw new IllegalStateException("planted");
            });
    links.start();
    try {
      assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      links.close();
    }
  }
}
