package org.terrace.experiment.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Starts the users of a run, one virtual thread each, and ends them. Thread-safe. */
final class UserThreads {
  private final LoadContext context;
  private final List<EmulatedUser> users = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final SplittableRandom seeds;

  UserThreads(LoadContext context) {
    this.context = context;
    this.seeds = new SplittableRandom(context.plan().seed());
  }

  /** Starts one user more, unless the load has stopped. */
  synchronized void start(long firstNanos, @Nullable Arrivals arrivals) {
    if (context.stopping()) {
      return;
    }
    int number = users.size();
    EmulatedUser user = new EmulatedUser(context, number, seeds.split(), firstNanos, arrivals);
    users.add(user);
    threads.add(Thread.ofVirtual().name("user-", number).start(user));
  }

  /** Wakes thinking users, who find that the load has stopped. */
  synchronized void wake() {
    threads.forEach(LockSupport::unpark);
  }

  /** Ends pages under way. */
  synchronized void abort() {
    users.forEach(EmulatedUser::abort);
  }
}
