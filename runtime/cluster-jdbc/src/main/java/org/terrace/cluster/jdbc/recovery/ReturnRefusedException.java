package org.terrace.cluster.jdbc.recovery;

/** The refusal of a replica's return by way of the log: only a copy of another's data helps. */
@SuppressWarnings("serial")
public sealed class ReturnRefusedException extends Exception permits ReplayDiffersException {
  /** A refusal for a reason, in words that begin with the replica as "it". */
  public ReturnRefusedException(String reason) {
    super(reason + ": copy the data of an active server to it");
  }
}
