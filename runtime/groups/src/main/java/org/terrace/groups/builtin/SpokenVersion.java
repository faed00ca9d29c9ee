package org.terrace.groups.builtin;

import java.lang.System.Logger.Level;
import java.util.Map;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;

/**
 * The version of the protocol that a member speaks with its group; each rise and fall is logged.
 * Written by the holder of the group's membership lock, read by any thread.
 */
final class SpokenVersion {
  /** Made at the first message alone. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(SpokenVersion.class.getName());
  }

  private final Member self;
  private volatile ProtocolAgreement agreement;

  SpokenVersion(Member self, ProtocolVersions own) {
    this.self = self;
    this.agreement = ProtocolAgreement.of(own, Map.of());
  }

  ProtocolAgreement agreement() {
    return agreement;
  }

  void become(ProtocolAgreement changed) {
    int before = agreement.toAll();
    int after = changed.toAll();
    agreement = changed;
    if (after != before) {
      String why =
          after > before
              ? "all members of its view understand it"
              : "a member of its view understands no later one";
      log(
          "Group member %s speaks version %d of the protocol to all from now on, before it was %d: %s"
              .formatted(self, after, before, why));
    }
  }

  private static void log(String what) {
    Thread.startVirtualThread(() -> Log.LOG.log(Level.INFO, what));
  }
}
