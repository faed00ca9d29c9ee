package org.terrace.collections.replica;

/** Counts of what a replica has done so far. Changed by the holder of the replica's lock alone. */
final class Counters {
  long deltasApplied;
  long deltasResent;
  long requests;
  long malformedMessages;
  long deltasRepaired;
  long reconciliations;
  long gossipMessages;
  long gossipMessagesInRound;
  long gossipMessagesARoundMax;

  void gossipMessageSent() {
    gossipMessages++;
    gossipMessagesInRound++;
    gossipMessagesARoundMax = Math.max(gossipMessagesARoundMax, gossipMessagesInRound);
  }
}
