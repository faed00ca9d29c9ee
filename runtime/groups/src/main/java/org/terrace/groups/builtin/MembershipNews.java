package org.terrace.groups.builtin;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The log of a member's views: each of them, and, louder, that it has come to see fewer than it
 * lost, or is open to whoever reaches it. Confined to the holder of the group's membership lock.
 */
final class MembershipNews {
  /** Made at the first message alone: it takes about as long as all else until a group is open. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(MembershipNews.class.getName());
  }

  private final Member self;
  private final Executor executor;
  private boolean minority;

  /**
   * The log of one member.
   *
   * @param executor runs what logs, since those who change views must not wait for a log
   */
  MembershipNews(Member self, Executor executor) {
    this.self = self;
    this.executor = executor;
  }

  /** Takes note of the group's opening; says so if others than this machine's may forge it. */
  void opened(boolean hasKeys) {
    if (!hasKeys && !self.address().getAddress().isLoopbackAddress()) {
      log(
          Level.WARNING,
          "Group member %s listens at %s without keys: whoever reaches that address can read and change what the group holds; give all members GroupOptions.withKeys(GroupKeys.encrypting(...)), or listen on loopback"
              .formatted(self, self.address()));
    }
  }

  /** Takes note of a view. */
  void changed(View view) {
    log(Level.INFO, "Group member %s sees %s".formatted(self, view.members()));
    if (view.isMinority() != minority) {
      minority = !minority;
      log(
          minority ? Level.WARNING : Level.INFO,
          minority
              ? "Group member %s is probably cut off: it sees %s and has lost %s; what the level ALL acknowledges now may be held here alone (allOf(n) acknowledges nothing with fewer than n)"
                  .formatted(self, view.members(), view.lost())
              : "Group member %s sees no fewer members than it lost any more".formatted(self));
    }
  }

  private void log(Level level, String what) {
    executor.execute(() -> Log.LOG.log(level, what));
  }
}
