package org.terrace.middleware;

import java.util.Objects;

/**
 * A replica's answer to a call.
 *
 * @param status what came of it
 * @param body the encoded result, the code and message of a refusal, or the reason
 */
public record CallReply(Status status, byte[] body) {

  /** What came of a call at a replica. */
  public enum Status {
    /** It ran; the body is its encoded result. */
    RESULT,
    /** It ran and the service's rules refused it; the body is code and message. */
    REFUSED,
    /**
     * It did not run and had no effect: wrong type, unknown name, overload; try elsewhere or not.
     */
    REJECTED,
    /** It did not run: this replica is not the primary, or of an old epoch; ask another. */
    NOT_PRIMARY,
    /** It did not run: this replica is being drained; ask another. */
    DRAINING,
    /** It ended in an error of the infrastructure; what it wrote was rolled back or may not be. */
    FAILED
  }

  /** Refuses absent parts. */
  public CallReply {
    Objects.requireNonNull(status);
    Objects.requireNonNull(body);
  }
}
