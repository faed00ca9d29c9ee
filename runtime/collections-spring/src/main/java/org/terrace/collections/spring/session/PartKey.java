package org.terrace.collections.spring.session;

import java.util.Comparator;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.RecordCodec;

/**
 * The place of one part of a session. All parts of a session lie together in the order of keys, its
 * beginning first.
 *
 * @param session the session's identifier
 * @param name the attribute's name; empty for the beginning, and with a zero character before it
 *     what is no attribute
 */
record PartKey(@FieldNumber(1) String session, @FieldNumber(2) String name)
    implements Comparable<PartKey> {
  static final Codec<PartKey> CODEC = RecordCodec.of(PartKey.class);

  private static final String NO_ATTRIBUTE = "\0";
  private static final String INDEX = NO_ATTRIBUTE + "index:";
  private static final Comparator<PartKey> ORDER =
      Comparator.comparing(PartKey::session).thenComparing(PartKey::name);

  /** The key of a session's beginning: without one there is no such session. */
  static PartKey beginning(String session) {
    return new PartKey(session, "");
  }

  /** The key of an attribute. */
  static PartKey attribute(String session, String name) {
    if (name.isEmpty() || name.startsWith(NO_ATTRIBUTE)) {
      throw new IllegalArgumentException(
          "an attribute of a session has a name, without a zero character first: '" + name + "'");
    }
    return new PartKey(session, name);
  }

  /** The key of the time of last use, apart so that no late use brings back an ended session. */
  static PartKey used(String session) {
    return new PartKey(session, NO_ATTRIBUTE + "used");
  }

  /** The key of the time for which the session may be unused, once that was changed. */
  static PartKey inactive(String session) {
    return new PartKey(session, NO_ATTRIBUTE + "inactive");
  }

  /** The key of the value by which the session is found. */
  static PartKey index(String session, String index) {
    return new PartKey(session, INDEX + index);
  }

  /** The least key that belongs to no part of the session. */
  static PartKey end(String session) {
    return new PartKey(session + '\0', "");
  }

  boolean isBeginning() {
    return name.isEmpty();
  }

  /** The name of the index whose value lies here; empty if it is something else. */
  String indexName() {
    return name.startsWith(INDEX) ? name.substring(INDEX.length()) : "";
  }

  @Override
  public int compareTo(PartKey other) {
    return ORDER.compare(this, other);
  }
}
