package org.terrace.collections.tomcat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.AdmittedSerialization;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.core.codec.RecordCodec;

/**
 * The attributes that an application keeps in its sessions, with their encodings: whatever is not
 * registered here is refused when it is set, and nothing else is ever decoded.
 *
 * <p>An attribute of a mutable type is followed: what has changed of it at the end of a request is
 * written then. Immutable.
 */
public final class SessionAttributes {
  private static final int HEADER = 0;
  private static final int ATTRIBUTE = 1;
  private static final int USED = 2;
  private static final int INACTIVE = 3;
  private static final char ANY = '*';

  private record Registered(String name, Class<?> type, AttributeForm form) {
    boolean covers(String attribute) {
      return name.charAt(name.length() - 1) == ANY
          ? attribute.startsWith(name.substring(0, name.length() - 1))
          : attribute.equals(name);
    }
  }

  private static final SessionAttributes NONE = new SessionAttributes(List.of());
  private static final Codec<SessionValue.Header> HEADERS =
      RecordCodec.of(SessionValue.Header.class);
  private static final Codec<SessionValue.Used> USES = RecordCodec.of(SessionValue.Used.class);
  private static final Codec<SessionValue.Inactive> INACTIVES =
      RecordCodec.of(SessionValue.Inactive.class);

  private final List<Registered> registered;

  private SessionAttributes(List<Registered> registered) {
    this.registered = List.copyOf(registered);
  }

  /** No attributes. */
  public static SessionAttributes none() {
    return NONE;
  }

  /**
   * The same attributes and one more.
   *
   * @param name the attribute's name; ending in {@code *}, all names that begin so
   * @throws IllegalArgumentException if the name is empty
   */
  public <T> SessionAttributes with(String name, Class<T> type, Codec<T> codec) {
    @SuppressWarnings("unchecked") // only values of the type reach the codec: see refusal
    Codec<Object> untyped = (Codec<Object>) codec;
    return with(name, type, AttributeForm.of(untyped));
  }

  private SessionAttributes with(String name, Class<?> type, AttributeForm form) {
    if (!SessionKey.isAttribute(name)) {
      throw new IllegalArgumentException("an attribute has a name: '" + name + "'");
    }
    List<Registered> more = new ArrayList<>(registered);
    more.add(new Registered(name, type, form));
    return new SessionAttributes(more);
  }

  /**
   * The same attributes and one more, which goes by Java serialization: an object of admitted
   * classes that holds objects of admitted classes only. Admitted are those named here, and boxed
   * values, strings, numbers, times and collections of the JDK. No object of another class is ever
   * made of what comes from elsewhere, and a value that holds one is refused when it is set, by the
   * name of that class. An attribute has 1.9 MB, 100,000 references and a depth of 64 at most.
   *
   * @param name the attribute's name; ending in {@code *}, all names that begin so
   * @param classes names of classes; {@code package.*} for those of a package, {@code package.**}
   *     for those of its sub-packages too
   * @throws IllegalArgumentException if a name is none
   */
  public SessionAttributes withSerializable(String name, String... classes) {
    return with(
        name, Serializable.class, AttributeForm.of(new AdmittedSerialization(List.of(classes))));
  }

  /** The same attributes and one more, a record. */
  public <T extends Record> SessionAttributes with(String name, Class<T> type) {
    return with(name, type, RecordCodec.of(type));
  }

  private Optional<Registered> find(String attribute) {
    return registered.stream().filter(entry -> entry.covers(attribute)).findFirst();
  }

  /** Whether attributes of that name are registered here. */
  boolean isRegistered(String attribute) {
    return find(attribute).isPresent();
  }

  /** Whether values of that attribute may change after they were set. */
  boolean isMutable(String attribute) {
    return find(attribute).filter(entry -> entry.form.isMutable()).isPresent();
  }

  /**
   * The form in which a value lies in the map.
   *
   * @throws IllegalArgumentException if it may not be set
   */
  SessionValue.Attribute encode(String attribute, Object value) {
    Optional<Registered> found = find(attribute);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "the session attribute '" + attribute + "' is not registered with SessionAttributes");
    }
    Registered entry = found.get();
    if (!entry.type.isInstance(value)) {
      throw new IllegalArgumentException(
          "the session attribute '"
              + attribute
              + "' is registered as "
              + entry.type.getName()
              + " and was set to a "
              + value.getClass().getName());
    }
    try {
      return new SessionValue.Attribute(attribute, entry.form.encode(value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the session attribute '" + attribute + "' may not be set: " + e.getMessage(), e);
    }
  }

  /**
   * The value of what lies in the map; null for an attribute that is not registered here.
   *
   * @throws MalformedDataException if it is none of the registered form
   */
  @Nullable Object decode(SessionValue.Attribute stored, @Nullable ClassLoader loader) {
    try {
      return find(stored.name())
          .map(entry -> entry.form.decode(stored.encoded(), loader))
          .orElse(null);
    } catch (MalformedDataException e) {
      throw new MalformedDataException(
          "the session attribute '" + stored.name() + "': " + e.getMessage());
    }
  }

  /** The codec of what lies in the map, whose attributes stay bytes. */
  static Codec<SessionValue> codec() {
    return Codecs.immutable(SessionAttributes::encode, SessionAttributes::decode);
  }

  private static void encode(SessionValue value, Encoder out) {
    switch (value) {
      case SessionValue.Header header -> {
        out.putByte(HEADER);
        HEADERS.encode(header, out);
      }
      case SessionValue.Attribute attribute -> {
        out.putByte(ATTRIBUTE);
        out.putString(attribute.name());
        out.putRaw(attribute.encoded(), 0, attribute.encoded().length);
      }
      case SessionValue.Used used -> {
        out.putByte(USED);
        USES.encode(used, out);
      }
      case SessionValue.Inactive inactive -> {
        out.putByte(INACTIVE);
        INACTIVES.encode(inactive, out);
      }
    }
  }

  private static SessionValue decode(Decoder in) {
    int kind = in.getByte();
    return switch (kind) {
      case HEADER -> HEADERS.decode(in);
      case ATTRIBUTE -> new SessionValue.Attribute(in.getString(), in.getRaw(in.remaining()));
      case USED -> USES.decode(in);
      case INACTIVE -> INACTIVES.decode(in);
      default ->
          throw new MalformedDataException("a session holds a value of the unknown kind " + kind);
    };
  }
}
