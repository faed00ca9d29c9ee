package org.terrace.core.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A codec of several types under one: a value is written as the number of its type, its size and
 * its bytes.
 *
 * <p>Only registered types can be read. A number that is not registered, such as that of a class
 * that a newer version added, gives {@link MalformedDataException}: a program must not act on a
 * value it does not understand. Whoever only passes values on keeps their bytes, as replicated
 * collections do with the values (not the keys) of their entries until somebody reads them.
 * Immutable and thread-safe; encoding and decoding look the type up in a hash map.
 *
 * @param <T> what the types have in common
 */
public final class TypeRegistry<T> implements Codec<T> {
  private record Entry<T>(int number, Codec<T> codec) {}

  private final Class<T> base;
  private final Map<Class<?>, Entry<T>> byClass;
  private final Map<Integer, Entry<T>> byNumber;
  private final boolean immutable;

  private TypeRegistry(Class<T> base, Map<Class<?>, Entry<T>> byClass) {
    this.base = base;
    this.byClass = Map.copyOf(byClass);
    Map<Integer, Entry<T>> numbers = new HashMap<>();
    byClass.values().forEach(entry -> numbers.put(entry.number(), entry));
    this.byNumber = Map.copyOf(numbers);
    this.immutable = byClass.values().stream().allMatch(entry -> entry.codec().isImmutable());
  }

  /**
   * The registry of a sealed interface: all records that it permits, directly or by further sealed
   * interfaces, each with a {@link TypeNumber} and {@link FieldNumber}s.
   *
   * @throws IllegalArgumentException if it is not sealed, permits something that is no record, or a
   *     number is missing or used twice
   */
  public static <T> TypeRegistry<T> of(Class<T> sealedInterface) {
    return of(sealedInterface, List.of());
  }

  static <T> TypeRegistry<T> of(Class<T> sealedInterface, List<Class<?>> within) {
    if (!sealedInterface.isSealed()) {
      throw new IllegalArgumentException(
          sealedInterface.getName() + " is not sealed: register its types with a builder");
    }
    Builder<T> builder = builder(sealedInterface);
    addPermitted(sealedInterface, builder, within);
    return builder.build();
  }

  private static <T> void addPermitted(Class<?> type, Builder<T> builder, List<Class<?>> within) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      TypeNumber number = permitted.getAnnotation(TypeNumber.class);
      if (permitted.isSealed()) {
        addPermitted(permitted, builder, within);
      } else if (!permitted.isRecord() || number == null) {
        throw new IllegalArgumentException(
            permitted.getName()
                + ", which "
                + type.getName()
                + " permits, must be a record with a @TypeNumber of 1 or more");
      } else {
        Codec<?> codec = RecordCodec.of(permitted.asSubclass(Record.class), within);
        builder.put(number.value(), permitted, codec);
      }
    }
  }

  /** Begins a registry of types that share a class or interface which need not be sealed. */
  public static <T> Builder<T> builder(Class<T> base) {
    return new Builder<>(base);
  }

  @Override
  public void encode(T value, Encoder out) {
    Entry<T> entry = byClass.get(value.getClass());
    if (entry == null) {
      throw new IllegalArgumentException(
          value.getClass().getName() + " is not registered for " + base.getName());
    }
    out.putUnsigned(entry.number());
    out.putSized(entry.codec(), value);
  }

  @Override
  public T decode(Decoder in) {
    int number = in.getCount(Integer.MAX_VALUE);
    Entry<T> entry = byNumber.get(number);
    if (entry == null) {
      throw new MalformedDataException(
          "type number " + number + " is not registered for " + base.getName());
    }
    return in.getSized(entry.codec());
  }

  @Override
  public boolean isImmutable() {
    return immutable;
  }

  /**
   * Collects the types of a registry. Confined to one thread.
   *
   * @param <T> what the types have in common
   */
  public static final class Builder<T> {
    private final Class<T> base;
    private final Map<Class<?>, Entry<T>> entries = new HashMap<>();
    private final List<Integer> numbers = new ArrayList<>();

    private Builder(Class<T> base) {
      this.base = base;
    }

    /**
     * Adds a type.
     *
     * @throws IllegalArgumentException if the number is below 1, or it or the type is in use
     */
    public <S extends T> Builder<T> add(int number, Class<S> type, Codec<S> codec) {
      put(number, type, codec);
      return this;
    }

    private void put(int number, Class<?> type, Codec<?> codec) {
      if (number < 1 || numbers.contains(number)) {
        throw new IllegalArgumentException(
            "the type number of " + type.getName() + " is 1 or more and not in use: " + number);
      }
      @SuppressWarnings("unchecked")
      Codec<T> typed = (Codec<T>) codec;
      @Nullable Entry<T> previous = entries.put(type, new Entry<>(number, typed));
      if (previous != null) {
        throw new IllegalArgumentException(type.getName() + " is registered twice");
      }
      numbers.add(number);
    }

    /** The registry of what was added. */
    public TypeRegistry<T> build() {
      return new TypeRegistry<>(base, entries);
    }
  }
}
