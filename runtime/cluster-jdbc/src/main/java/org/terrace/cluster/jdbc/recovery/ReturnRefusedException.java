package org.terrace.cluster.jdbc.recovery;

/** The refusal of a replica's return by way of the log. */
@SuppressWarnings("serial")
public sealed class ReturnRefusedException extends Exception permits ReplayDiffersException {
  /**
   * A refusal for a reason, in words that begin with the replica as "it", where only a copy of
   * another's data helps.
   */
  public ReturnRefusedException(String reason) {
    this(reason, "copy the data of an active server to it");
  }

  private ReturnRefusedException(String reason, String remedy) {
    super(reason + ": " + remedy);
  }

  /** A refusal for as long as no server is active: nothing is to be done to this one. */
  public static ReturnRefusedException untilAnotherIsBack(String reason) {
    return new ReturnRefusedException(reason, "nothing is to be done here until that one is back");
  }
}
