package org.terrace.collections.replica;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/** Counts of what a replica has done so far. Changed by the holder of the replica's lock alone. */
final class Counters {
  private static final System.Logger LOG = System.getLogger(Counters.class.getName());

  /** Incarnations of which it was logged; more are counted alone. */
  private static final int LOGGED_MAX = 64;

  private final Set<Long> incompatibleMembers = new HashSet<>();
  long deltasApplied;
  long deltasResent;
  long requests;
  long malformedMessages;
  long incompatibleMessages;
  long deltasRepaired;
  long reconciliations;
  long gossipMessages;
  long gossipMessagesInRound;
  long gossipMessagesARoundMax;

  /**
   * Whether a message of that version is none that is understood: counted, and the first of each
   * member logged.
   */
  boolean isIncompatible(Member from, int version, ProtocolVersions own) {
    if (own.contains(version)) {
      return false;
    }
    incompatibleMessages++;
    if (incompatibleMembers.size() < LOGGED_MAX && incompatibleMembers.add(from.id())) {
      LOG.log(
          Level.ERROR,
          "Member {0} speaks version {1} of the collections'' protocol, and version {2} is understood"
              + " here: what it sends is refused; if this goes on, run releases in the group that"
              + " understand a common version",
          from,
          version,
          own);
    }
    return true;
  }

  void gossipMessageSent() {
    gossipMessages++;
    gossipMessagesInRound++;
    gossipMessagesARoundMax = Math.max(gossipMessagesARoundMax, gossipMessagesInRound);
  }
}
