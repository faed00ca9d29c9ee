package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.session.NamedLocks.Grant;
import org.terrace.cluster.jdbc.session.NamedLocks.Mode;

/**
 * The hand-over of a lock from a session that lets go of it to one that waits. Who is granted one
 * or begins to wait is noted by its hash code, so a session that lets another thread do something
 * when it is asked for that puts the other between the look at a lock and what follows.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NamedLocksTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final NamedLocks locks = new NamedLocks();
  private final List<Grant> grants = new ArrayList<>();

  /** A session that has another thread do something when it is noted for the first time. */
  private static final class WatchedSession {
    private final Runnable task;
    private @Nullable Thread other;

    WatchedSession(Runnable task) {
      this.task = task;
    }

    @Override
    public boolean equals(@Nullable Object object) {
      return this == object;
    }

    @Override
    public int hashCode() {
      if (other == null) {
        other = Between.start(task);
      }
      return 1;
    }

    void awaitOther() {
      Between.until(() -> other != null && !other.isAlive());
    }
  }

  private Grant acquire(Object session, Duration limit) {
    try {
      return locks.acquire(session, "name", Mode.EXCLUSIVE, limit);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void lockThatWasFoundFreeIsGrantedOnce() {
    WatchedSession first = new WatchedSession(() -> grants.add(acquire("second", Duration.ZERO)));

    assertThat(acquire(first, Duration.ZERO)).isEqualTo(Grant.GRANTED);
    first.awaitOther();
    assertThat(grants).containsExactly(Grant.TAKEN);
  }

  /** One that were left waiting would exceed the time of the test. */
  @Test
  void lockIsHandedOnBetweenTheLookAndTheWait() {
    acquire("first", Duration.ZERO);
    WatchedSession second =
        new WatchedSession(() -> locks.release("first", "name", Mode.EXCLUSIVE));

    assertThat(acquire(second, LONG)).isEqualTo(Grant.GRANTED);
    assertThat(locks.holder("name")).isSameAs(second);
  }

  /** Whoever asks again waits again. */
  @Test
  void waitIsGivenUpWhileItIsOn() {
    acquire("first", Duration.ZERO);
    locks.giveUp("second");
    Thread waiting = Thread.currentThread();
    for (int i = 0; i < 2; i++) {
      Thread.startVirtualThread(() -> {
        Between.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        locks.giveUp("second");
      });

      assertThat(acquire("second", LONG)).isEqualTo(Grant.GIVEN_UP);
    }
    assertThat(acquire("second", Duration.ofMillis(1))).isEqualTo(Grant.TAKEN);
    assertThat(locks.release("first", "name", Mode.EXCLUSIVE)).isTrue();
    assertThat(locks.holder("name")).isNull();
  }

  @Test
  void lockIsHandedOnWhileTheWaitIsOn() {
    acquire("first", Duration.ZERO);
    Thread waiting = Thread.currentThread();
    Thread.startVirtualThread(() -> {
      Between.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
      locks.release("first", "name", Mode.EXCLUSIVE);
    });

    assertThat(acquire("second", LONG)).isEqualTo(Grant.GRANTED);
  }

  /** Whoever ends holds nothing, waits for nothing, and gets nothing any more. */
  @Test
  void sessionThatHasEndedIsGrantedNothing() {
    acquire("first", Duration.ZERO);
    Thread waiting = Thread.currentThread();
    Thread.startVirtualThread(() -> {
      Between.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
      locks.end("second");
      locks.release("first", "name", Mode.EXCLUSIVE);
    });

    assertThat(acquire("second", LONG)).isEqualTo(Grant.GIVEN_UP);
    assertThat(acquire("second", Duration.ZERO)).isEqualTo(Grant.GIVEN_UP);
    assertThat(acquire("third", LONG)).isEqualTo(Grant.GRANTED);
    locks.end("third");
    assertThat(locks.holder("name")).isNull();
  }
}
