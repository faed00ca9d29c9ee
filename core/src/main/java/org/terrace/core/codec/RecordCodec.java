package org.terrace.core.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A codec of one record class, whose components carry {@link FieldNumber}s.
 *
 * <p>Each component that is not null is written with its number and its size, so a reader passes
 * over numbers it does not know and gives null, zero or an empty collection for those that are
 * absent: old and new versions of a class read each other's bytes. Components may be primitives and
 * their boxes, {@code String}, {@code byte[]}, enums, {@code UUID}, {@code Instant}, {@code
 * Duration}, {@code Optional}, {@code List}, {@code Set} and {@code Map} of these, records of the
 * same kind, and sealed interfaces of such records ({@link TypeRegistry}); any other type is
 * refused when the codec is made. Immutable and thread-safe.
 *
 * @param <T> the record class
 */
public final class RecordCodec<T extends Record> implements Codec<T> {
  private static final int FIELDS_MAX = 1_000;

  private record Field(int number, int index, Method accessor, Codec<Object> codec) {}

  private final Constructor<T> constructor;
  private final List<Field> fields;
  private final @Nullable Object[] absent;
  private final boolean immutable;

  private RecordCodec(
      Constructor<T> constructor,
      List<Field> fields,
      @Nullable Object[] absent,
      boolean immutable) {
    this.constructor = constructor;
    this.fields = fields;
    this.absent = absent;
    this.immutable = immutable;
  }

  /**
   * The codec of a record class; a module must open the class's package to this one.
   *
   * @throws IllegalArgumentException if a component has no number, one in use, or an unknown type,
   *     or if the class contains itself
   */
  public static <T extends Record> RecordCodec<T> of(Class<T> type) {
    return of(type, List.of());
  }

  static <T extends Record> RecordCodec<T> of(Class<T> type, List<Class<?>> within) {
    if (within.contains(type)) {
      throw new IllegalArgumentException(
          type.getName() + " contains itself: values of any depth cannot be stored");
    }
    List<Class<?>> deeper = new ArrayList<>(within);
    deeper.add(type);
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] absent = new @Nullable Object[components.length];
    Map<Integer, Field> fields = new TreeMap<>();
    boolean immutable = true;
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      FieldNumber number = component.getAnnotation(FieldNumber.class);
      if (number == null || number.value() < 1) {
        throw new IllegalArgumentException(
            component + " of " + type.getName() + " needs a @FieldNumber of 1 or more");
      }
      ComponentCodecs.Found found = ComponentCodecs.find(component.getGenericType(), deeper);
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      Field field = new Field(number.value(), i, accessor, found.codec());
      if (fields.put(number.value(), field) != null) {
        throw new IllegalArgumentException(
            "field number " + number.value() + " is used twice in " + type.getName());
      }
      types[i] = component.getType();
      absent[i] = found.absent();
      immutable &= found.codec().isImmutable();
    }
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RecordCodec<>(constructor, new ArrayList<>(fields.values()), absent, immutable);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  @Override
  public void encode(T value, Encoder out) {
    for (Field field : fields) {
      Object component = invoke(field.accessor, value);
      if (component != null) {
        out.putUnsigned(field.number);
        out.putSized(field.codec, component);
      }
    }
    out.putUnsigned(0);
  }

  @Override
  public T decode(Decoder in) {
    @Nullable Object[] components = absent.clone();
    int next = 0;
    for (int i = 0; i <= FIELDS_MAX; i++) {
      int number = in.getCount(Integer.MAX_VALUE);
      if (number == 0) {
        return construct(components);
      }
      while (next < fields.size() && fields.get(next).number < number) {
        next++;
      }
      if (next < fields.size() && fields.get(next).number == number) {
        components[fields.get(next).index] = in.getSized(fields.get(next).codec);
      } else {
        in.slice();
        in.noteSkippedUnknown();
      }
    }
    throw new MalformedDataException("a record of more than " + FIELDS_MAX + " fields");
  }

  @Override
  public boolean isImmutable() {
    return immutable;
  }

  private static @Nullable Object invoke(Method accessor, Object value) {
    try {
      return accessor.invoke(value);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("a record's accessor failed: " + accessor, e);
    }
  }

  private T construct(@Nullable Object[] components) {
    try {
      return constructor.newInstance(components);
    } catch (InvocationTargetException e) {
      throw new MalformedDataException(
          "the bytes make no valid " + constructor.getName() + ": " + e.getCause());
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("a record's constructor is accessible", e);
    }
  }
}
