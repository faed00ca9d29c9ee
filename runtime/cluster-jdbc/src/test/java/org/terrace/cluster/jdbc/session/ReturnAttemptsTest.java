package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The word to give up, which attempts are told, beside what {@link SharedByThreadsTest} sees. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReturnAttemptsTest {
  private final ReturnAttempts<ReturnAttempts.Attempt> attempts = new ReturnAttempts<>();
  private final List<String> told = new ArrayList<>();

  @Test
  void whoIsReplacedAndWhoIsLeftAtTheEndIsTold() {
    attempts.begin(0, () -> told.add("replaced"));
    attempts.begin(0, () -> told.add("last"));
    attempts.begin(1, () -> told.add("back"));
    attempts.remove(1);
    attempts.end();

    assertThat(told).containsExactly("replaced", "last");
    assertThat(attempts.begin(0, () -> told.add("late"))).isFalse();
    assertThat(attempts.find(0)).isNull();
  }

  /** A step of the core looks for an attempt; who is told to give up waits for that step. */
  @Test
  void whoIsToldMayWaitForAThreadThatLooksForIt() {
    attempts.begin(
        0,
        () -> {
          Thread looking = Thread.startVirtualThread(() -> told.add("found " + attempts.find(0)));
          Between.until(() -> !looking.isAlive());
        });
    attempts.end();

    assertThat(told).containsExactly("found null");
  }
}
