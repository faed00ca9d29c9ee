package org.terrace.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The users of a closed load: each waits for its page, thinks, and asks for the next. They begin
 * evenly spread over the ramp-up.
 */
final class ClosedDispatcher implements Dispatcher {
  private final LoadContext context;
  private final long startNanos;
  private final PaceClock pace;
  private final DelayQueue<Thinking> thinking = new DelayQueue<>();
  private final List<EmulatedUser> users = new ArrayList<>();
  private final AtomicInteger begun = new AtomicInteger();
  private final BurstMeter bursts;

  ClosedDispatcher(LoadContext context, long startNanos) {
    this.context = context;
    this.startNanos = startNanos;
    LoadPlan plan = context.plan();
    this.pace = new PaceClock(plan.pace(), plan.phases());
    this.bursts = new BurstMeter(plan.pace(), plan.phases());
    SplittableRandom seeds = new SplittableRandom(plan.seed());
    double gap = plan.phases().rampUp().toNanos() / (double) plan.model().users();
    for (int number = 0; number < plan.model().users(); number++) {
      EmulatedUser user = new EmulatedUser(context, number, seeds.split());
      users.add(user);
      thinking.add(new Thinking(user, startNanos + (long) (number * gap), true));
    }
  }

  /** A user and the moment at which it will act, on the monotonic clock. */
  private final class Thinking implements Delayed, Runnable {
    private final EmulatedUser user;
    private final long dueNanos;
    private final boolean first;

    Thinking(EmulatedUser user, long dueNanos, boolean first) {
      this.user = user;
      this.dueNanos = dueNanos;
      this.first = first;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - context.clock().elapsedNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(dueNanos, ((Thinking) other).dueNanos);
    }

    @Override
    public void run() {
      if (first) {
        begun.incrementAndGet();
      }
      long free = user.freeNanos();
      if (!first && dueNanos > free) {
        long now = context.clock().elapsedNanos();
        bursts.thought(
            (double) (free - startNanos), (double) (now - startNanos), true, user.thinkTime());
      }
      if (user.visit(dueNanos)) {
        thinking.add(new Thinking(user, thoughtNanos(user), false));
      }
    }
  }

  /** The moment at which a user has thought, whose time passes at the pace of the run. */
  private long thoughtNanos(EmulatedUser user) {
    double free = pace.users((double) (user.freeNanos() - startNanos));
    long drawn = user.drawThinkNanos();
    long due = startNanos + (long) pace.moment(free + drawn);
    context
        .meter()
        .recordThink(user.number(), user.freeNanos(), due, drawn, user.thinkTime().meanNanos());
    return due;
  }

  @Override
  public void dispatch() {
    try {
      while (!context.stopping()) {
        Thread.ofVirtual().start(thinking.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the load has stopped
    }
  }

  @Override
  public List<EmulatedUser> users() {
    return users;
  }

  @Override
  public int usersBegun() {
    return begun.get();
  }

  @Override
  public long scheduledInRun() {
    return 0;
  }

  @Override
  public long dropped() {
    return 0;
  }

  @Override
  public List<BurstOffer> offeredInBursts() {
    double end = (double) (context.clock().elapsedNanos() - startNanos);
    for (Thinking one : thinking) {
      // Else long think times, which are cut off by the end, would be missing.
      if (!one.first) {
        bursts.thought(
            (double) (one.user.freeNanos() - startNanos), end, false, one.user.thinkTime());
      }
    }
    return bursts.offered();
  }
}
