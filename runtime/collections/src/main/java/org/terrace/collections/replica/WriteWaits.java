package org.terrace.collections.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.groups.View;

/**
 * The waiting for updates until as many replicas hold them as their level asks: by the thread that
 * made them, or by a stage that completes then.
 *
 * <p>Stages are completed one after the other by one thread, which is there while there is any to
 * complete, so what they lead to never runs within a step. Thread-safe.
 */
public final class WriteWaits {
  /** The most calls that may be under way before more are refused. */
  public static final int UNDER_WAY_MAX = 10_000;

  private static final ScopedValue<Collected> COLLECTED = ScopedValue.newInstance();

  private record Awaited(PendingWrite write, String collection) {}

  /** The updates of one call so far; those of other replicas are waited for all the same. */
  private record Collected(WriteWaits owner, List<Awaited> updates) {}

  /** One call whose updates are under way. */
  private final class Call<T extends @Nullable Object> {
    final CompletableFuture<T> stage = new CompletableFuture<>();
    final T result;
    final List<Awaited> updates;
    final long deadlineNanos;
    private final AtomicInteger open;

    Call(T result, List<Awaited> updates, long deadlineNanos) {
      this.result = result;
      this.updates = updates;
      this.deadlineNanos = deadlineNanos;
      this.open = new AtomicInteger(updates.size());
    }

    void acknowledged() {
      if (open.decrementAndGet() == 0) {
        finish(() -> stage.complete(result));
      }
    }

    /** Within a step. Nothing of the call is left by the time its stage has completed. */
    void expire() {
      if (stage.isDone()) {
        return;
      }
      updates.forEach(update -> acknowledgements.abandon(update.write));
      Awaited late = late(updates).orElse(updates.getLast());
      finish(() -> stage.completeExceptionally(unacknowledged(late.write, late.collection)));
    }
  }

  private final Steps steps;
  private final CollectionsOptions options;
  private final Acknowledgements acknowledgements;
  private final Supplier<View> view;
  private final Deque<Call<?>> underWay = new ArrayDeque<>();
  private final ConcurrentLinkedQueue<Runnable> finished = new ConcurrentLinkedQueue<>();
  private final AtomicInteger finishing = new AtomicInteger();
  private final AtomicInteger count = new AtomicInteger();
  private boolean closed;

  WriteWaits(
      Steps steps,
      CollectionsOptions options,
      Acknowledgements acknowledgements,
      Supplier<View> view) {
    this.steps = steps;
    this.options = options;
    this.acknowledgements = acknowledgements;
    this.view = view;
  }

  /** {@link Steps#await}; within {@link #submit} it takes note of the update and returns. */
  void await(PendingWrite write, String collection) {
    if (write.isAcknowledged() || collect(write, collection)) {
      return;
    }
    long timeoutNanos = options.writeTimeout().toNanos();
    if (!write.await(timeoutNanos, options.acknowledgementSpin().toNanos())) {
      abandon(List.of(new Awaited(write, collection)));
      throw unacknowledged(write, collection);
    }
  }

  private UnacknowledgedWriteException unacknowledged(PendingWrite write, String collection) {
    if (write.outOfReach.isPresent()) {
      return new UnacknowledgedWriteException(
          "what was changed in '%s' is not held at level %s: %s; it is made, and will reach them if this replica survives"
              .formatted(collection, write.level, write.outOfReach.get()));
    }
    return new UnacknowledgedWriteException(
        "an update of '%s' was not held at level %s after %s; members: %s; it is made, and will reach them if this replica survives: an addition that is repeated counts twice"
            .formatted(collection, write.level, options.writeTimeout(), view.get().members()));
  }

  private void abandon(List<Awaited> updates) {
    steps.within(() -> {
      updates.forEach(update -> acknowledgements.abandon(update.write));
      return updates;
    });
  }

  private boolean collect(PendingWrite write, String collection) {
    if (!COLLECTED.isBound() || COLLECTED.get().owner != this) {
      return false;
    }
    COLLECTED.get().updates.add(new Awaited(write, collection));
    return true;
  }

  /**
   * Makes updates of this replica's collections, as the call does, but waits for none of them.
   *
   * @return what completes with the call's result once its updates are acknowledged, and with the
   *     exceptions that the call would have thrown
   */
  public <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
    if (count.incrementAndGet() > UNDER_WAY_MAX) {
      count.decrementAndGet();
      return CompletableFuture.failedStage(
          new WriteRefusedException(
              UNDER_WAY_MAX + " asynchronous calls are under way already: try again later"));
    }
    List<Awaited> updates = new ArrayList<>();
    T result;
    try {
      steps.awaitRoom();
      result = ScopedValue.where(COLLECTED, new Collected(this, updates)).call(call::get);
    } catch (RuntimeException | Error e) {
      count.decrementAndGet();
      abandon(updates);
      if (e instanceof Error error) {
        throw error;
      }
      return CompletableFuture.failedStage(e);
    }
    return await(result, updates);
  }

  private <T extends @Nullable Object> CompletionStage<T> await(T result, List<Awaited> updates) {
    updates.removeIf(update -> update.write.isAcknowledged());
    for (Awaited update : updates) {
      if (update.write.outOfReach.isPresent()) {
        count.decrementAndGet();
        abandon(updates);
        return CompletableFuture.failedStage(unacknowledged(update.write, update.collection));
      }
    }
    if (updates.isEmpty()) {
      count.decrementAndGet();
      return CompletableFuture.completedStage(result);
    }
    return steps.within(() -> {
      Call<T> call =
          new Call<>(
              result, updates, options.time().elapsedNanos() + options.writeTimeout().toNanos());
      CompletableFuture<T> _ = call.stage.whenComplete((value, error) -> ended(call));
      if (closed) {
        call.expire();
        return call.stage;
      }
      underWay.addLast(call);
      updates.forEach(update -> update.write.whenAcknowledged(call::acknowledged));
      return call.stage;
    });
  }

  /** However it ends: acknowledged, too late, or since the caller has cancelled it. */
  private void ended(Call<?> call) {
    count.decrementAndGet();
    if (late(call.updates).isPresent()) {
      abandon(call.updates);
    }
  }

  private static Optional<Awaited> late(List<Awaited> updates) {
    return updates.stream().filter(update -> !update.write.isAcknowledged()).findFirst();
  }

  /** Ends what has waited too long, and keeps nothing of what has ended. Within a step. */
  void tick(long nowNanos) {
    underWay.removeIf(call -> {
      boolean isLate = nowNanos - call.deadlineNanos >= 0;
      if (isLate) {
        call.expire();
      }
      return isLate || call.stage.isDone();
    });
  }

  /** Ends all that is under way: nobody will hear of it any more. Within a step. */
  void close() {
    closed = true;
    underWay.forEach(Call::expire);
    underWay.clear();
  }

  private void finish(Runnable completion) {
    finished.add(completion);
    if (finishing.getAndIncrement() == 0) {
      Thread.ofVirtual().name("terrace-async-writes").start(this::complete);
    }
  }

  private void complete() {
    int done = 0;
    do {
      Runnable next = finished.poll();
      if (next != null) {
        next.run();
      }
      done = finishing.decrementAndGet();
    } while (done > 0);
  }
}
