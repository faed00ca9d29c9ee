package org.terrace.observation;

/** The end of a request as its observer saw it. */
public enum Outcome {
  /** A response that the protocol calls good (HTTP below 400, no SQL error). */
  OK,
  /**
   * A complete response that reports an error (HTTP 400 or above, an SQL error, a failed check).
   */
  ERROR,
  /**
   * No complete response: the connection was reset or closed first. The departure is the moment at
   * which that was seen.
   */
  ABORTED,
  /**
   * No end: the request was still in flight when the observation ended, or its end was lost. The
   * departure is the last moment at which the request was known to be open. It counts in load,
   * never in throughput.
   */
  UNFINISHED
}
