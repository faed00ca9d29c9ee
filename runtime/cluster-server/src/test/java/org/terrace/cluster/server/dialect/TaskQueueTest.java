package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.testing.OtherThread;

/**
 * The hand-over of tasks to the thread that does them. It takes each from a deque, so a deque that
 * lets another thread give a task when it is found empty puts that thread between the last look and
 * the end.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TaskQueueTest {
  /** A deque that has another thread do something when it is found empty for the first time. */
  private static final class WatchedDeque extends ArrayDeque<Runnable> {
    private Runnable whenEmpty = () -> {};
    private @Nullable Thread other;

    @Override
    public @Nullable Runnable peek() {
      Runnable task = super.peek();
      if (task == null && other == null) {
        Thread started = Thread.startVirtualThread(whenEmpty);
        other = started;
        OtherThread.await(() -> isHeldUpOrDone(started));
      }
      return task;
    }
  }

  private final List<String> done = new ArrayList<>();

  private static boolean isHeldUpOrDone(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> true;
      case NEW, RUNNABLE -> false;
    };
  }

  @Test
  void taskGivenWhenTheLastIsDoneIsNotForgotten() {
    WatchedDeque deque = new WatchedDeque();
    TaskQueue queue = new TaskQueue(Runnable::run, deque);
    deque.whenEmpty = () -> queue.submit(() -> done.add("second"));
    queue.submit(() -> done.add("first"));
    OtherThread.await(() -> deque.other != null && !deque.other.isAlive());

    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void taskGivenWhileAnotherIsDoneComesAfterIt() {
    List<Runnable> threads = new ArrayList<>();
    TaskQueue queue = new TaskQueue(threads::add, new ArrayDeque<>());
    queue.submit(() -> {
      Thread other = Thread.startVirtualThread(() -> queue.submit(() -> done.add("second")));
      OtherThread.await(() -> !other.isAlive());
      done.add("first");
    });
    queue.submit(() -> done.add("third"));
    assertThat(threads).as("one thread for all").hasSize(1);
    threads.getFirst().run();

    assertThat(done).containsExactlyInAnyOrder("first", "second", "third").startsWith("first");
    assertThat(threads).hasSize(1);
  }

  @Test
  void taskThatFailsHoldsUpNone() {
    TaskQueue queue = new TaskQueue(Runnable::run, new ArrayDeque<>());
    queue.submit(() -> {
      throw new IllegalStateException("on purpose");
    });
    queue.submit(() -> {
      throw new OutOfMemoryError("on purpose");
    });
    queue.submit(() -> done.add("third"));

    assertThat(done).containsExactly("third");
  }
}
