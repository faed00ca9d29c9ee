package org.terrace.groups;

import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The log of a member's views, for those who implement {@link Group}: the size of the group as far
 * as it is known, each view, and, louder, that it has come to see fewer than it lost or expects, or
 * is open to whoever reaches it. Confined to the holder of the group's membership lock, and before
 * that to whoever opens the group.
 */
public final class MembershipNews {
  /** Made at the first message alone: it takes about as long as all else until a group is open. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(MembershipNews.class.getName());
  }

  /** The extent to which members are missing. */
  private enum Size {
    ENOUGH,
    BELOW,
    MINORITY
  }

  private record Line(Level level, String text) {}

  private final Member self;
  private final Executor executor;
  private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unwritten = new AtomicInteger();
  private Size size = Size.ENOUGH;

  /**
   * The log of one member.
   *
   * @param executor runs what logs, since those who change views must not wait for a log
   */
  public MembershipNews(Member self, Executor executor) {
    this.self = self;
    this.executor = executor;
  }

  /**
   * Takes note of the group's opening; says what is known of its size, and if others than this
   * machine's may forge it.
   *
   * @param first the view that it begins with
   * @param hasKeys whether what members send is protected by keys, here or below the group
   */
  public void opened(View first, boolean hasKeys) {
    if (first.expectedMembers().isEmpty()) {
      log(
          Level.INFO,
          "Group member %s was not told how many members its group has: until it has heard of others it takes itself for all of them, and what the level ALL acknowledges then is held here alone; withExpectedMembers(n) of its options tells it"
              .formatted(self));
    }
    compare(first);
    if (!hasKeys && !self.address().getAddress().isLoopbackAddress()) {
      log(
          Level.WARNING,
          "Group member %s listens at %s without keys: whoever reaches that address can read and change what the group holds; give all members GroupOptions.withKeys(GroupKeys.encrypting(...)), or listen on loopback"
              .formatted(self, self.address()));
    }
  }

  /** Takes note of a view. */
  public void changed(View view) {
    log(Level.INFO, "Group member %s sees %s".formatted(self, view.members()));
    compare(view);
  }

  /** Says once each time that members are missing, and that they are not any more. */
  private void compare(View view) {
    Size latest =
        view.isMinority() ? Size.MINORITY : view.isBelowExpected() ? Size.BELOW : Size.ENOUGH;
    if (latest == size) {
      return;
    }
    size = latest;
    int expected = view.expectedMembers().orElse(0);
    switch (latest) {
      case ENOUGH ->
          log(
              Level.INFO,
              "Group member %s sees no fewer members than it lost or expects any more"
                  .formatted(self));
      case BELOW ->
          log(
              Level.WARNING,
              "Group member %s sees fewer than the %d members it expects: %s; what the level ALL acknowledges now is held by those alone, and what more are to hold is refused"
                  .formatted(self, expected, view.members()));
      case MINORITY ->
          log(
              Level.WARNING,
              "Group member %s is probably cut off: it sees %s%s and has lost %s; what the level ALL acknowledges now may be held by those it sees alone (allOf(n) acknowledges nothing with fewer than n)"
                  .formatted(
                      self,
                      view.members(),
                      expected == 0 ? "" : " of %d that it expects".formatted(expected),
                      view.lost()));
    }
  }

  /** Lines are written one after the other, in the order of what they tell. */
  private void log(Level level, String text) {
    lines.add(new Line(level, text));
    if (unwritten.getAndIncrement() == 0) {
      executor.execute(this::write);
    }
  }

  private void write() {
    do {
      Line next = lines.remove();
      try {
        Log.LOG.log(next.level, next.text);
      } catch (RuntimeException e) {
        // A log that fails costs its own line, not those that come after.
      }
    } while (unwritten.decrementAndGet() > 0);
  }
}
