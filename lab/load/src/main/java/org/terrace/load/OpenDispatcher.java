package org.terrace.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The users of an open load: an arrival goes to the user who has been idle longest, and waits in a
 * bounded line when none is idle.
 */
final class OpenDispatcher implements Dispatcher {
  private static final long NONE = Long.MIN_VALUE;

  private final LoadContext context;
  private final long startNanos;
  private final long runStartNanos;
  private final ArrivalSchedule schedule;
  private final List<EmulatedUser> users = new ArrayList<>();
  private final Deque<EmulatedUser> idle = new ArrayDeque<>();
  private final Deque<Long> waiting = new ArrayDeque<>();
  private int neverSent;
  private long scheduled;
  private long dropped;

  OpenDispatcher(LoadContext context, LoadPlan.Open open, long startNanos) {
    this.context = context;
    this.startNanos = startNanos;
    LoadPlan plan = context.plan();
    SplittableRandom seeds = new SplittableRandom(plan.seed());
    for (int number = 0; number < open.users(); number++) {
      users.add(new EmulatedUser(context, number, seeds.split()));
    }
    idle.addAll(users);
    neverSent = users.size();
    long rampNanos = plan.phases().rampUp().toNanos();
    this.runStartNanos = startNanos + rampNanos;
    this.schedule =
        new ArrivalSchedule(
            open, rampNanos / 1e9, seeds, new PaceClock(plan.pace(), plan.phases()));
  }

  @Override
  public void dispatch() {
    while (true) {
      long due = startNanos + schedule.nextNanos();
      if (!awaitUntil(due)) {
        return;
      }
      EmulatedUser user = arrive(due);
      if (user != null) {
        Thread.ofVirtual().start(() -> serve(user, due));
      }
    }
  }

  private boolean awaitUntil(long dueNanos) {
    long left = dueNanos - context.clock().elapsedNanos();
    while (left > 0 && !context.stopping() && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, left);
      left = dueNanos - context.clock().elapsedNanos();
    }
    return left <= 0 && !context.stopping();
  }

  /** Takes note of an arrival and tells who serves it; null when it waits or is dropped. */
  private synchronized @Nullable EmulatedUser arrive(long due) {
    scheduled += due >= runStartNanos ? 1 : 0;
    EmulatedUser user = idle.poll();
    if (user == null) {
      if (waiting.size() < context.plan().limits().backlog()) {
        waiting.add(due);
      } else {
        dropped++;
      }
    } else if (neverSent > 0) {
      neverSent--; // those who have been sent come after those who have not
    }
    return user;
  }

  /** Serves an arrival, and those that wait after it. */
  private void serve(EmulatedUser user, long arrival) {
    long due = arrival;
    while (due != NONE && user.visit(due)) {
      due = next(user);
    }
  }

  /** The arrival that has waited longest; when none waits, the user is idle. */
  private synchronized long next(EmulatedUser user) {
    Long due = waiting.poll();
    if (due == null) {
      idle.addLast(user);
      return NONE;
    }
    return due;
  }

  @Override
  public List<EmulatedUser> users() {
    return users;
  }

  @Override
  public synchronized int usersBegun() {
    return users.size() - neverSent;
  }

  @Override
  public synchronized long scheduledInRun() {
    return scheduled;
  }

  /** Arrivals beyond the backlog's limit, and those that still wait. */
  @Override
  public synchronized long dropped() {
    return dropped + waiting.size();
  }

  /** Nothing: arrivals come as they are scheduled, which the rate is compared with. */
  @Override
  public List<BurstOffer> offeredInBursts() {
    return List.of();
  }
}
