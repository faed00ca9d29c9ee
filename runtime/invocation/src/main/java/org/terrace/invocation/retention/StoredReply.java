package org.terrace.invocation.retention;

import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallReply;

/**
 * A reply as the database keeps it.
 *
 * @param fingerprint of the request it answers
 * @param reply result, refusal or withdrawal; null if the work committed before it had ended
 */
record StoredReply(byte[] fingerprint, @Nullable CallReply reply) {

  private static final int RESULT = 0;
  private static final int REFUSED = 1;
  private static final int WITHDRAWN = 2;

  /** The number that stands for a status in the database. */
  static int numberOf(CallReply.Status status) {
    return switch (status) {
      case RESULT -> RESULT;
      case REFUSED -> REFUSED;
      case WITHDRAWN -> WITHDRAWN;
      case REJECTED, NOT_PRIMARY, DRAINING, FAILED, ROLLED_BACK, UNAVAILABLE, IN_DOUBT, FORGOTTEN ->
          throw new IllegalArgumentException("A reply of status " + status + " is not retained.");
    };
  }

  /** The status that a number in the database stands for. */
  static CallReply.Status statusOf(int number) {
    return switch (number) {
      case RESULT -> CallReply.Status.RESULT;
      case REFUSED -> CallReply.Status.REFUSED;
      case WITHDRAWN -> CallReply.Status.WITHDRAWN;
      default ->
          throw new IllegalStateException(
              "The table terrace_reply holds the status " + number + "; known are 0 to 2.");
    };
  }
}
