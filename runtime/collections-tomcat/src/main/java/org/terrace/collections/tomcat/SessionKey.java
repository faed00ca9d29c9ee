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
 * @param attribute the attribute's name; empty for the session's header
 */
record SessionKey(@FieldNumber(1) String session, @FieldNumber(2) String attribute)
    implements Comparable<SessionKey> {
  static final Codec<SessionKey> CODEC = RecordCodec.of(SessionKey.class);

  private static final Comparator<SessionKey> ORDER =
      Comparator.comparing(SessionKey::session).thenComparing(SessionKey::attribute);

  static SessionKey header(String session) {
    return new SessionKey(session, "");
  }

  /** The least key that belongs to no attribute of the session. */
  static SessionKey end(String session) {
    return new SessionKey(session + '\0', "");
  }

  boolean isHeader() {
    return attribute.isEmpty();
  }

  @Override
  public int compareTo(SessionKey other) {
    return ORDER.compare(this, other);
  }
}
