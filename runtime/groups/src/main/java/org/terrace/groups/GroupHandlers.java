package org.terrace.groups;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The handlers and periodic tasks of one group, for those who implement {@link Group}: whatever a
 * handler throws is logged and ends neither the thread that called it nor what comes after.
 * Thread-safe.
 */
public final class GroupHandlers implements AutoCloseable {
  /** Made at the first message alone: it takes about as long as all else until a group is open. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(GroupHandlers.class.getName());
  }

  private final String member;
  private final AtomicReferenceArray<Group.@Nullable MessageHandler> handlers =
      new AtomicReferenceArray<>(Group.CHANNELS);
  private final List<Group.ViewHandler> viewHandlers = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor timer;

  /** No handlers yet, of the member of that name. */
  public GroupHandlers(String member) {
    this.member = member;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task ->
                Thread.ofPlatform().daemon().name("group-" + member + "-timer").unstarted(task));
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Fails unless the number is that of a user's channel. */
  public static void checkChannel(int channel) {
    if (channel < 1 || channel >= Group.CHANNELS) {
      throw new IllegalArgumentException(
          "a channel is 1 to " + (Group.CHANNELS - 1) + ": " + channel);
    }
  }

  /** Sets the handler of a channel, see {@link Group#subscribe}. */
  public void subscribe(int channel, Group.MessageHandler handler) {
    checkChannel(channel);
    if (!handlers.compareAndSet(channel, null, handler)) {
      throw new IllegalStateException("channel " + channel + " has a handler already");
    }
  }

  /** Whether the channel has a handler. */
  public boolean handles(int channel) {
    return handlers.get(channel) != null;
  }

  /** Hands a message to the handler of its channel, if it has one. */
  public void deliver(int channel, Member from, ByteBuffer payload) {
    Group.MessageHandler handler = handlers.get(channel);
    if (handler != null) {
      run(() -> handler.receive(from, payload));
    }
  }

  /** Adds a handler of views, and tells it the present one; the caller keeps views in order. */
  public void watch(Group.ViewHandler handler, View present) {
    viewHandlers.add(handler);
    handler.changed(present);
  }

  /** Tells the handlers of a view; the caller keeps views in order. */
  public void viewChanged(View changed) {
    viewHandlers.forEach(handler -> run(() -> handler.changed(changed)));
  }

  /** Runs the task again and again, see {@link Group#every}. */
  public void every(Duration period, Runnable task) {
    long nanos = period.toNanos();
    ScheduledFuture<?> scheduled =
        timer.scheduleWithFixedDelay(() -> run(task), nanos, nanos, TimeUnit.NANOSECONDS);
    if (scheduled.isCancelled()) {
      throw new IllegalStateException("the group is closed");
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // an Error costs its own call alone, not the thread that others need
      Log.LOG.log(Level.ERROR, "A handler of group member " + member + " failed", e);
    }
  }

  /** Ends the periodic tasks. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
