package org.terrace.collections.spring.session;

import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.TypeNumber;
import org.terrace.core.codec.TypeRegistry;

/** A value that lies in the map for a session. Immutable. */
sealed interface SessionPart {
  /**
   * The facts of a session from its beginning.
   *
   * @param createdMillis when it began, in milliseconds since the Unix epoch
   * @param usedMillis when it was last used before it was written
   * @param inactiveMillis how long it may lie unused; zero or less: for ever
   */
  @TypeNumber(1)
  record Beginning(
      @FieldNumber(1) long createdMillis,
      @FieldNumber(2) long usedMillis,
      @FieldNumber(3) long inactiveMillis)
      implements SessionPart {}

  /** The time when a session was last used, to within the touch interval. */
  @TypeNumber(2)
  record Used(@FieldNumber(1) long millis) implements SessionPart {}

  /** The time that a session may lie unused, in place of what its beginning says. */
  @TypeNumber(3)
  record Inactive(@FieldNumber(1) long millis) implements SessionPart {}

  /** The value by which an index finds the session. */
  @TypeNumber(4)
  record Indexed(@FieldNumber(1) String value) implements SessionPart {}

  /** An attribute in its serialized form, which is not to be changed. */
  @TypeNumber(5)
  record Attribute(@FieldNumber(1) byte[] serialized) implements SessionPart {}

  /** The codec of all parts, whose attributes stay bytes and are not copied. */
  static Codec<SessionPart> codec() {
    TypeRegistry<SessionPart> parts = TypeRegistry.of(SessionPart.class);
    return Codecs.immutable(parts::encode, parts::decode);
  }
}
