package org.terrace.collections.replica;

import java.lang.System.Logger.Level;
import org.terrace.collections.gossip.Message;
import org.terrace.groups.Member;

/** Counts of what a replica has done so far. Changed by the holder of the replica's lock alone. */
final class Counters {
  private static final System.Logger LOG = System.getLogger(Counters.class.getName());

  private long incompatibleMember;
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

  /** Whether a message is of another version: counted, and the first of a run of one's logged. */
  boolean isIncompatible(Member from, int kind) {
    if (Message.isOfThisVersion(kind)) {
      return false;
    }
    incompatibleMessages++;
    if (from.id() != incompatibleMember) {
      incompatibleMember = from.id();
      LOG.log(
          Level.ERROR,
          "Member {0} speaks another version of the collections'' protocol: what it sends is refused,"
              + " and what it is sent is not acknowledged; run one version in a group",
          from);
    }
    return true;
  }

  void gossipMessageSent() {
    gossipMessages++;
    gossipMessagesInRound++;
    gossipMessagesARoundMax = Math.max(gossipMessagesARoundMax, gossipMessagesInRound);
  }
}
