package org.terrace.core.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The codecs of the types that a record's components may have. */
final class ComponentCodecs {
  private static final int ELEMENTS_MAX = 1 << 20;

  /** A codec, and the value of a component that is absent. */
  record Found(Codec<Object> codec, @Nullable Object absent) {}

  private ComponentCodecs() {}

  /**
   * @param within the classes whose components led here
   */
  static Found find(Type type, List<Class<?>> within) {
    if (type instanceof Class<?> raw) {
      return findClass(raw, within);
    }
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == Optional.class) {
        return new Found(
            untyped(new OptionalCodec(find(arguments[0], within).codec())), Optional.empty());
      }
      if (generic.getRawType() == List.class) {
        return collection(
            arguments[0], within, ArrayList::new, Collections::unmodifiableList, List.of());
      }
      if (generic.getRawType() == Set.class) {
        return collection(
            arguments[0], within, LinkedHashSet::new, Collections::unmodifiableSet, Set.of());
      }
      if (generic.getRawType() == Map.class) {
        Codec<Object> keys = find(arguments[0], within).codec();
        return new Found(untyped(new MapCodec(keys, find(arguments[1], within).codec())), Map.of());
      }
    }
    throw new IllegalArgumentException(
        "no codec for " + type.getTypeName() + ": see RecordCodec for the types there are");
  }

  private static <C extends Collection<Object>> Found collection(
      Type element,
      List<Class<?>> within,
      Function<List<Object>, C> copy,
      Function<C, ? extends Object> seal,
      Object none) {
    return new Found(new CollectionCodec<>(find(element, within).codec(), copy, seal), none);
  }

  private static Found findClass(Class<?> type, List<Class<?>> within) {
    if (type == int.class || type == Integer.class) {
      return new Found(untyped(Codecs.integers()), type.isPrimitive() ? 0 : null);
    } else if (type == long.class || type == Long.class) {
      return new Found(untyped(Codecs.longs()), type.isPrimitive() ? 0L : null);
    } else if (type == boolean.class || type == Boolean.class) {
      Codec<Boolean> codec =
          Codecs.immutable((value, out) -> out.putByte(value ? 1 : 0), in -> in.getByte() != 0);
      return new Found(untyped(codec), type.isPrimitive() ? false : null);
    } else if (type == double.class || type == Double.class) {
      Codec<Double> codec =
          Codecs.immutable(
              (value, out) -> out.putFixedLong(Double.doubleToRawLongBits(value)),
              in -> Double.longBitsToDouble(in.getFixedLong()));
      return new Found(untyped(codec), type.isPrimitive() ? 0.0 : null);
    } else if (type == String.class) {
      return new Found(untyped(Codecs.string()), null);
    } else if (type == byte[].class) {
      return new Found(untyped(Codecs.bytes()), null);
    } else if (type.isEnum()) {
      return new Found(enumCodec(type), null);
    } else if (type.isRecord()) {
      return new Found(untyped(RecordCodec.of(type.asSubclass(Record.class), within)), null);
    } else if (type.isSealed()) {
      return new Found(untyped(TypeRegistry.of(type, within)), null);
    }
    return findTime(type);
  }

  private static Found findTime(Class<?> type) {
    if (type == UUID.class) {
      Codec<UUID> codec =
          Codecs.immutable(
              (value, out) -> {
                out.putFixedLong(value.getMostSignificantBits());
                out.putFixedLong(value.getLeastSignificantBits());
              },
              in -> new UUID(in.getFixedLong(), in.getFixedLong()));
      return new Found(untyped(codec), null);
    } else if (type == Instant.class) {
      Codec<Instant> codec =
          Codecs.immutable(
              (value, out) -> {
                out.putSigned(value.getEpochSecond());
                out.putUnsigned(value.getNano());
              },
              in -> inRange(() -> Instant.ofEpochSecond(in.getSigned(), in.getUnsigned())));
      return new Found(untyped(codec), null);
    } else if (type == Duration.class) {
      Codec<Duration> codec =
          Codecs.immutable(
              (value, out) -> {
                out.putSigned(value.getSeconds());
                out.putUnsigned(value.getNano());
              },
              in -> inRange(() -> Duration.ofSeconds(in.getSigned(), in.getUnsigned())));
      return new Found(untyped(codec), null);
    }
    throw new IllegalArgumentException(
        "no codec for " + type.getName() + ": see RecordCodec for the types there are");
  }

  private static <T> T inRange(Supplier<T> time) {
    try {
      return time.get();
    } catch (DateTimeException | ArithmeticException e) {
      throw new MalformedDataException("a time out of range: " + e.getMessage());
    }
  }

  private static Codec<Object> enumCodec(Class<?> type) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(((Enum<?>) constant).name(), constant);
    }
    return Codecs.immutable(
        (value, out) -> out.putString(((Enum<?>) value).name()),
        in -> {
          String name = in.getString();
          Object constant = constants.get(name);
          if (constant == null) {
            throw new MalformedDataException(type.getName() + " has no constant " + name);
          }
          return constant;
        });
  }

  @SuppressWarnings("unchecked")
  private static Codec<Object> untyped(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  /** Writes items that have no order of their own as they come, or in the order of their bytes. */
  private static <T> void putUnordered(
      Collection<? extends T> items, BiConsumer<T, Encoder> put, Encoder out) {
    if (!out.isCanonical()) {
      items.forEach(item -> put.accept(item, out));
      return;
    }
    List<byte[]> encoded = new ArrayList<>(items.size());
    for (T item : items) {
      Encoder alone = Encoder.canonical();
      put.accept(item, alone);
      encoded.add(alone.toBytes());
    }
    encoded.sort(Arrays::compareUnsigned);
    encoded.forEach(bytes -> out.putRaw(bytes, 0, bytes.length));
  }

  private record OptionalCodec(Codec<Object> content) implements Codec<Optional<Object>> {
    @Override
    public void encode(Optional<Object> value, Encoder out) {
      out.putByte(value.isPresent() ? 1 : 0);
      value.ifPresent(present -> out.putSized(content, present));
    }

    @Override
    public Optional<Object> decode(Decoder in) {
      return in.getByte() == 0 ? Optional.empty() : Optional.of(in.getSized(content));
    }

    @Override
    public boolean isImmutable() {
      return content.isImmutable();
    }
  }

  private record CollectionCodec<C extends Collection<Object>>(
      Codec<Object> elements, Function<List<Object>, C> copy, Function<C, ? extends Object> seal)
      implements Codec<Object> {
    @Override
    public void encode(Object value, Encoder out) {
      Collection<?> collection = (Collection<?>) value;
      out.putUnsigned(collection.size());
      if (value instanceof Set) {
        putUnordered(collection, (element, to) -> to.putSized(elements, element), out);
        return;
      }
      for (Object element : collection) {
        out.putSized(elements, element);
      }
    }

    @Override
    public Object decode(Decoder in) {
      int size = in.getCount(Math.min(ELEMENTS_MAX, in.remaining()));
      List<Object> read = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        read.add(in.getSized(elements));
      }
      return seal.apply(copy.apply(read));
    }

    @Override
    public boolean isImmutable() {
      return false;
    }
  }

  private record MapCodec(Codec<Object> keys, Codec<Object> values)
      implements Codec<Map<Object, Object>> {
    @Override
    public void encode(Map<Object, Object> value, Encoder out) {
      out.putUnsigned(value.size());
      putUnordered(
          value.entrySet(),
          (entry, to) -> {
            to.putSized(keys, entry.getKey());
            to.putSized(values, entry.getValue());
          },
          out);
    }

    @Override
    public Map<Object, Object> decode(Decoder in) {
      int size = in.getCount(Math.min(ELEMENTS_MAX, in.remaining()));
      Map<Object, Object> read = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        read.put(in.getSized(keys), in.getSized(values));
      }
      return Collections.unmodifiableMap(read);
    }

    @Override
    public boolean isImmutable() {
      return false;
    }
  }
}
