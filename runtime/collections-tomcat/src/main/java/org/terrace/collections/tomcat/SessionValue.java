package org.terrace.collections.tomcat;

import java.util.Arrays;
import org.terrace.core.codec.FieldNumber;

/** A value kept for a session under one key. Immutable. */
sealed interface SessionValue {
  /**
   * The facts that Tomcat itself keeps of a session from its beginning.
   *
   * @param createdMillis when it began, in milliseconds since the Unix epoch
   * @param accessedMillis when it was last used before it was written
   * @param inactiveSeconds how long it may lie unused; zero or less: for ever
   */
  record Header(
      @FieldNumber(1) long createdMillis,
      @FieldNumber(2) long accessedMillis,
      @FieldNumber(3) int inactiveSeconds)
      implements SessionValue {

    /** Whether it was unused for that much longer than it may. */
    boolean isOver(long nowMillis, long slackMillis) {
      return inactiveSeconds > 0
          && nowMillis - accessedMillis > inactiveSeconds * 1_000L + slackMillis;
    }
  }

  /** The time when a session was last used, to within the touch interval. */
  record Used(@FieldNumber(1) long accessedMillis) implements SessionValue {}

  /** The time that a session may lie unused, in seconds, in place of what its header says. */
  record Inactive(@FieldNumber(1) int seconds) implements SessionValue {}

  /**
   * An attribute as bytes, perhaps of a name that another version of the application registered:
   * then it is kept and never shown. The bytes are not to be changed.
   */
  record Attribute(String name, byte[] encoded) implements SessionValue {
    boolean isSame(Attribute other) {
      return Arrays.equals(encoded, other.encoded);
    }
  }
}
