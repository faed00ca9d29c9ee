package org.terrace.collections;

/** What a replica has done so far. Changed by the holder of the replica's lock alone. */
final class Counters {
  long deltasApplied;
  long deltasResent;
  long requests;
  long malformedMessages;
  long gossipRounds;
  long deltasRepaired;
  long reconciliations;
  long silentDivergences;
  long changesDropped;
  long gossipMessages;
  long gossipMessagesInRound;
  long gossipMessagesARoundMax;
  long gossipPostponed;
  long gossipDropped;
}
