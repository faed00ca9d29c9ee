package org.terrace.groups.builtin;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * The reason why the others do not count a member as one of them, if there is one; each is logged
 * once. Written by the holder of the group's membership lock, read by any thread.
 */
final class Exclusion {
  /** More are counted, and not logged one by one. */
  private static final int LOGGED_MAX = 64;

  /** Made at the first message alone. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(Exclusion.class.getName());
  }

  private final Member self;
  private final ProtocolVersions protocol;
  private final Set<String> logged = new HashSet<>();
  private volatile @Nullable String reason;

  Exclusion(Member self, ProtocolVersions protocol) {
    this.self = self;
    this.protocol = protocol;
  }

  Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /** The others know a later incarnation of this member's process. */
  void outdated(Member later) {
    exclude(
        "%s is not in the group any more: the others know %s, a later incarnation of the same name;"
                .formatted(self, later)
            + " close this group, and let no two processes bear one name or start with a clock"
            + " that was set back");
  }

  /**
   * Somebody speaks a version of the protocol that is not understood here.
   *
   * @param yields whether this member is the one that is excluded
   */
  void incompatible(InetSocketAddress there, int theirs, boolean yields) {
    if (yields) {
      exclude(
          "%s is not in the group: it understands version %s of the protocol, and the member at %s"
                  .formatted(self, protocol, there)
              + " version %d; close this group, and upgrade by way of a release that understands"
                  .formatted(theirs)
              + " both, or stop all members of one version before any of another starts");
    } else {
      log(
          "A member at %s speaks version %d of the protocol, and %s understands version %s:"
                  .formatted(there, theirs, self, protocol)
              + " it is not let in");
    }
  }

  private void exclude(String why) {
    if (reason == null) {
      reason = why;
    }
    log(why);
  }

  private void log(String what) {
    if (logged.size() < LOGGED_MAX && logged.add(what)) {
      Thread.startVirtualThread(() -> Log.LOG.log(Level.ERROR, what));
    }
  }
}
