package org.terrace.invocation;

import java.util.Locale;
import java.util.Objects;

/** One thing that was done for a call; its times are in nanoseconds since the call was issued. */
public sealed interface CallStep {

  /** The monotonic time at which it began. */
  long startNanos();

  /** The time that it took. */
  long elapsedNanos();

  /** The ending of an attempt. */
  enum Ending {
    /** The reply that counted came. */
    ANSWERED,
    /** The service's rules refused the call: a reply like any other. */
    REFUSED,
    /** The replica turned it away. */
    REJECTED,
    /** The replica is not the primary. */
    NOT_PRIMARY,
    /** The replica is being drained. */
    DRAINING,
    /** The replica met an error. */
    FAILED,
    /** The connection ended after it was sent. */
    LOST,
    /** The request was never sent. */
    NOT_SENT,
    /** No reply came in time. */
    TIMED_OUT,
    /** The attempt was overtaken by a faster one, or the call was given up. */
    OVERTAKEN
  }

  /**
   * An attempt at one replica.
   *
   * @param replica the replica's name
   * @param connectNanos opening the connection; 0 if one was open
   * @param restoreNanos restoring the session; 0 if there was one
   * @param sendNanos writing the request
   * @param waitNanos from then to its ending
   * @param detail what the replica or the connection said, for people; may be empty
   */
  record Attempt(
      String replica,
      long startNanos,
      long connectNanos,
      long restoreNanos,
      long sendNanos,
      long waitNanos,
      Ending ending,
      String detail)
      implements CallStep {

    /** Refuses absent parts. */
    public Attempt {
      Objects.requireNonNull(replica);
      Objects.requireNonNull(ending);
      Objects.requireNonNull(detail);
    }

    @Override
    public long elapsedNanos() {
      return connectNanos + restoreNanos + sendNanos + waitNanos;
    }

    @Override
    public String toString() {
      return replica
          + ": "
          + (connectNanos > 0 ? "connected in " + micros(connectNanos) + ", " : "")
          + (restoreNanos > 0 ? "session restored in " + micros(restoreNanos) + ", " : "")
          + ending.name().toLowerCase(Locale.ROOT).replace('_', ' ')
          + " after "
          + micros(sendNanos + waitNanos)
          + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  /**
   * A question to the naming service.
   *
   * @param answer what it said, for people
   */
  record Lookup(long startNanos, long elapsedNanos, String answer) implements CallStep {
    @Override
    public String toString() {
      return "naming: " + answer + " after " + micros(elapsedNanos);
    }
  }

  /**
   * A wait for a replica to become available.
   *
   * @param noticed whether the notice of a new reference ended it
   */
  record Wait(long startNanos, long elapsedNanos, boolean noticed) implements CallStep {
    @Override
    public String toString() {
      return "waited " + micros(elapsedNanos) + (noticed ? ", until a notice" : "");
    }
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%,.1f µs", nanos / 1e3);
  }
}
