package org.terrace.invocation.retention.oracle;

import java.time.Duration;

/** The judge of words of doubt in a client's log. Stateless. */
final class Doubts {
  /** The time that a call may take. */
  static final Duration DEADLINE = Duration.ofSeconds(20);

  /** The last wait of a call may end this much before its deadline. */
  private static final long EARLY_MILLIS = 100;

  private static final String LEASE_OVER = "The lease of client";

  private Doubts() {}

  /**
   * Whether a call ended as unknown while there was time to ask again, as a call that may have run
   * is until its deadline; a client whose lease is over cannot ask.
   *
   * @param words of the line, of which the fourth is how many milliseconds the call took
   */
  static boolean isEarly(String[] words) {
    return Long.parseLong(words[3]) < DEADLINE.toMillis() - EARLY_MILLIS
        && !String.join(" ", words).contains(LEASE_OVER);
  }
}
