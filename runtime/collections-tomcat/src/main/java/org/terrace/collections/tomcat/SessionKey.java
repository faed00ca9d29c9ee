package org.terrace.collections.tomcat;

import java.util.Comparator;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.RecordCodec;

/**
 * The place of one thing kept for a session. All that belongs to a session lies together in the
 * order of keys, its header first.
 *
 * @param session the session's identifier
 * @param attribute the attribute's name; empty for the session's header, and with a zero character
 *     before it what is no attribute
 */
record SessionKey(@FieldNumber(1) String session, @FieldNumber(2) String attribute)
    implements Comparable<SessionKey> {
  static final Codec<SessionKey> CODEC = RecordCodec.of(SessionKey.class);

  private static final char NO_ATTRIBUTE = '\0';
  private static final Comparator<SessionKey> ORDER =
      Comparator.comparing(SessionKey::session).thenComparing(SessionKey::attribute);

  /** The key of a session's header: without one there is no such session. */
  static SessionKey header(String session) {
    return new SessionKey(session, "");
  }

  /** The key of the time of last use, apart so that no late use brings back an ended session. */
  static SessionKey used(String session) {
    return new SessionKey(session, NO_ATTRIBUTE + "used");
  }

  /** The key of the time for which the session may be unused, once that was changed. */
  static SessionKey inactive(String session) {
    return new SessionKey(session, NO_ATTRIBUTE + "inactive");
  }

  /** The least key that belongs to no attribute of the session. */
  static SessionKey end(String session) {
    return new SessionKey(session + '\0', "");
  }

  /** Whether an attribute can have that name. */
  static boolean isAttribute(String name) {
    return !name.isEmpty() && name.charAt(0) != NO_ATTRIBUTE;
  }

  boolean isHeader() {
    return attribute.isEmpty();
  }

  @Override
  public int compareTo(SessionKey other) {
    return ORDER.compare(this, other);
  }
}
