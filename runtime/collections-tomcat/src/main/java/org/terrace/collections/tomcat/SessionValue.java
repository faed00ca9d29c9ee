package org.terrace.collections.tomcat;

import org.terrace.core.codec.FieldNumber;

/** A value kept for a session under one key. */
sealed interface SessionValue {
  /**
   * The facts that Tomcat itself keeps of a session.
   *
   * @param createdMillis when it began, in milliseconds since the Unix epoch
   * @param accessedMillis when it was last used, to within the touch interval
   * @param inactiveSeconds how long it may lie unused; zero or less: for ever
   */
  record Header(
      @FieldNumber(1) long createdMillis,
      @FieldNumber(2) long accessedMillis,
      @FieldNumber(3) int inactiveSeconds)
      implements SessionValue {

    boolean isOver(long nowMillis, long slackMillis) {
      return inactiveSeconds > 0
          && nowMillis - accessedMillis > inactiveSeconds * 1_000L + slackMillis;
    }
  }

  /** An attribute of a registered name. */
  record Attribute(String name, Object value) implements SessionValue {}

  /** An attribute that another version of the application put there; kept, never shown. */
  record Unknown(String name, byte[] encoded) implements SessionValue {}
}
