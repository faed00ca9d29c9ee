package org.terrace.collections.tomcat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.core.codec.RecordCodec;

/**
 * The attributes that an application keeps in its sessions, with their encodings: whatever is not
 * registered here is refused when it is set, and nothing else is ever decoded.
 *
 * <p>An attribute of a mutable type goes by value: changing what {@code getAttribute} returned
 * changes nothing until {@code setAttribute} is called again. Immutable.
 */
public final class SessionAttributes {
  private static final int HEADER = 0;
  private static final int ATTRIBUTE = 1;
  private static final char ANY = '*';

  private record Registered(String name, Class<?> type, Codec<Object> codec) {
    boolean covers(String attribute) {
      return name.charAt(name.length() - 1) == ANY
          ? attribute.startsWith(name.substring(0, name.length() - 1))
          : attribute.equals(name);
    }
  }

  private static final SessionAttributes NONE = new SessionAttributes(List.of());
  private static final Codec<SessionValue.Header> HEADERS =
      RecordCodec.of(SessionValue.Header.class);

  private final List<Registered> registered;

  private SessionAttributes(List<Registered> registered) {
    this.registered = List.copyOf(registered);
  }

  /** No attributes. */
  public static SessionAttributes none() {
    return NONE;
  }

  /**
   * These and one more.
   *
   * @param name the attribute's name; ending in {@code *}, all names that begin so
   * @throws IllegalArgumentException if the name is empty
   */
  public <T> SessionAttributes with(String name, Class<T> type, Codec<T> codec) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an attribute has a name");
    }
    List<Registered> more = new ArrayList<>(registered);
    @SuppressWarnings("unchecked") // only values of the type reach the codec: see refusal
    Codec<Object> untyped = (Codec<Object>) codec;
    more.add(new Registered(name, type, untyped));
    return new SessionAttributes(more);
  }

  /** These and one more, a record. */
  public <T extends Record> SessionAttributes with(String name, Class<T> type) {
    return with(name, type, RecordCodec.of(type));
  }

  private Optional<Registered> find(String attribute) {
    return registered.stream().filter(entry -> entry.covers(attribute)).findFirst();
  }

  /** Why a value may not be set; empty if it may. */
  Optional<String> refusal(String attribute, Object value) {
    Optional<Registered> entry = find(attribute);
    if (entry.isEmpty()) {
      return Optional.of(
          "the session attribute '" + attribute + "' is not registered with SessionAttributes");
    }
    if (!entry.get().type.isInstance(value)) {
      return Optional.of(
          "the session attribute '"
              + attribute
              + "' is registered as "
              + entry.get().type.getName()
              + " and was set to a "
              + value.getClass().getName());
    }
    return Optional.empty();
  }

  /** The codec of what lies in the map; immutable as far as the attributes are. */
  Codec<SessionValue> codec() {
    boolean immutable = registered.stream().allMatch(entry -> entry.codec.isImmutable());
    return new Codec<>() {
      @Override
      public void encode(SessionValue value, Encoder out) {
        SessionAttributes.this.encode(value, out);
      }

      @Override
      public SessionValue decode(Decoder in) {
        return SessionAttributes.this.decode(in);
      }

      @Override
      public boolean isImmutable() {
        return immutable;
      }
    };
  }

  private void encode(SessionValue value, Encoder out) {
    switch (value) {
      case SessionValue.Header header -> {
        out.putByte(HEADER);
        HEADERS.encode(header, out);
      }
      case SessionValue.Attribute attribute -> {
        out.putByte(ATTRIBUTE);
        out.putString(attribute.name());
        find(attribute.name()).orElseThrow().codec.encode(attribute.value(), out);
      }
      case SessionValue.Unknown unknown -> {
        out.putByte(ATTRIBUTE);
        out.putString(unknown.name());
        out.putRaw(unknown.encoded(), 0, unknown.encoded().length);
      }
    }
  }

  private SessionValue decode(Decoder in) {
    int kind = in.getByte();
    if (kind == HEADER) {
      return HEADERS.decode(in);
    }
    if (kind != ATTRIBUTE) {
      throw new MalformedDataException("a session holds a value of the unknown kind " + kind);
    }
    String name = in.getString();
    Optional<Registered> entry = find(name);
    return entry.isPresent()
        ? new SessionValue.Attribute(name, entry.get().codec.decode(in))
        : new SessionValue.Unknown(name, in.getRaw(in.remaining()));
  }
}
