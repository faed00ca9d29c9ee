package org.terrace.load;

import java.util.Locale;
import org.terrace.observation.Outcome;

/** The way in which a page failed its user, or {@link #NONE}. */
public enum Failure {
  /**
   * The page came, with status 200 and as the state that was asked for; or with any status from 200
   * to 299, for a request of a mix of one's own.
   */
  NONE(Outcome.OK),
  /** A complete answer with another status. */
  WRONG_STATUS(Outcome.ERROR),
  /** A complete answer with status 200 that is the page of another state, or of none. */
  WRONG_CONTENT(Outcome.ERROR),
  /** An answer that is not HTTP/1.1, or exceeds a limit of the client. */
  MALFORMED(Outcome.ERROR),
  /** The connection ended within an answer. */
  TRUNCATED(Outcome.ABORTED),
  /** The connection ended before the first byte of an answer. */
  CLOSED(Outcome.ABORTED),
  /** No complete answer within the response limit. */
  TIMEOUT(Outcome.ABORTED),
  /** The connection was refused: no process listens at the target. */
  REFUSED(Outcome.ABORTED),
  /** No connection within the connect limit, or no route. */
  UNREACHABLE(Outcome.ABORTED),
  /** This machine gave no socket: out of ports or file descriptors. The generator's own fault. */
  LOCAL(Outcome.ABORTED),
  /** The request was still in flight when the load ended. */
  UNFINISHED(Outcome.UNFINISHED);

  private final Outcome outcome;

  Failure(Outcome outcome) {
    this.outcome = outcome;
  }

  /** The outcome as the requests table calls it. */
  public Outcome outcome() {
    return outcome;
  }

  /** The name of the failure in results, in kebab-case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
