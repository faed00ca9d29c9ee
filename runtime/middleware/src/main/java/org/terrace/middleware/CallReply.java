package org.terrace.middleware;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A replica's answer to a call.
 *
 * @param status what came of it
 * @param body the encoded result, the code and message of a refusal, or the reason
 */
public record CallReply(Status status, byte[] body) {

  /** The status of a call at a replica. */
  public enum Status {
    /** The call ran; the body is its encoded result. */
    RESULT,
    /** The call ran and the service's rules refused it; the body is code and message. */
    REFUSED,
    /**
     * The call did not run and had no effect: wrong type, unknown name, overload, too late; try
     * elsewhere or not.
     */
    REJECTED,
    /** The call did not run: this replica is not the primary, or of an old epoch; ask another. */
    NOT_PRIMARY,
    /** The call did not run: this replica is being drained; ask another. */
    DRAINING,
    /**
     * The call ended in an error of the service's, and what it did before may remain: the service
     * has no transaction to roll back.
     */
    FAILED,
    /** The call ended in an error of the service's, and all that it wrote was rolled back. */
    ROLLED_BACK,
    /**
     * The call had no effect: the replica lacks something it needs, such as its database; try
     * again.
     */
    UNAVAILABLE,
    /**
     * The database broke off while it was committed. To send it again under the same identity ends
     * the doubt.
     */
    IN_DOUBT,
    /**
     * The call did not run: the lease of its client is over, so that nothing of the client is
     * known.
     */
    FORGOTTEN,
    /** The call did not run and never will: its key was asked for before, and thereby withdrawn. */
    WITHDRAWN
  }

  /** Refuses absent parts. */
  public CallReply {
    Objects.requireNonNull(status);
    Objects.requireNonNull(body);
  }

  /** A reply whose body is a text for people. */
  public static CallReply saying(Status status, String text) {
    return new CallReply(status, text.getBytes(StandardCharsets.UTF_8));
  }
}
