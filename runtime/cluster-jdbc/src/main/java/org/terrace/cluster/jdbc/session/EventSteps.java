package org.terrace.cluster.jdbc.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The events of a state machine, from any thread: each is done whole before the next, and one that
 * an event brings about is done after it. Thread-safe.
 */
final class EventSteps<E> {
  private final Consumer<E> step;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<E> inbox = new ArrayDeque<>();
  private boolean stepUnderWay;

  EventSteps(Consumer<E> step) {
    this.step = step;
  }

  /** Does an event, and what it brings about; within another event, after that. */
  void post(E event) {
    lock.lock();
    try {
      inbox.add(event);
      if (stepUnderWay) {
        return;
      }
      stepUnderWay = true;
      try {
        for (E next = inbox.poll(); next != null; next = inbox.poll()) {
          step.accept(next);
        }
      } finally {
        stepUnderWay = false;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Does something while no other thread does an event, and gives what it found. */
  <T> T between(Supplier<T> task) {
    lock.lock();
    try {
      return task.get();
    } finally {
      lock.unlock();
    }
  }
}
