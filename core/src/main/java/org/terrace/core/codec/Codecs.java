package org.terrace.core.codec;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Codecs of common types. */
public final class Codecs {
  private static final Codec<String> STRING =
      immutable(
          (value, out) -> {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            out.putRaw(bytes, 0, bytes.length);
          },
          in -> new String(in.getRaw(in.remaining()), StandardCharsets.UTF_8));
  private static final Codec<Long> LONG =
      immutable((value, out) -> out.putSigned(value), Decoder::getSigned);
  private static final Codec<Integer> INTEGER =
      immutable(
          (value, out) -> out.putSigned(value),
          in -> {
            long value = in.getSigned();
            if (value != (int) value) {
              throw new MalformedDataException("an int is out of range: " + value);
            }
            return (int) value;
          });
  private static final Codec<Boolean> PRESENT = immutable((value, out) -> {}, in -> Boolean.TRUE);
  private static final Codec<byte[]> BYTES =
      new SimpleCodec<>(
          (value, out) -> out.putRaw(value, 0, value.length),
          in -> in.getRaw(in.remaining()),
          false);

  private record SimpleCodec<T>(
      BiConsumer<T, Encoder> encoder, Function<Decoder, T> decoder, boolean isImmutable)
      implements Codec<T> {
    @Override
    public void encode(T value, Encoder out) {
      encoder.accept(value, out);
    }

    @Override
    public T decode(Decoder in) {
      return decoder.apply(in);
    }
  }

  private Codecs() {}

  /** A codec of an immutable type made of two functions; the decoder must read all it is given. */
  public static <T> Codec<T> immutable(
      BiConsumer<T, Encoder> encoder, Function<Decoder, T> decoder) {
    return new SimpleCodec<>(encoder, decoder, true);
  }

  /**
   * The codec of any type that a record's component may have (see {@link RecordCodec}). Its values
   * are written with {@link Encoder#putSized}; null has no bytes.
   *
   * @throws IllegalArgumentException if there is no codec for the type
   */
  public static Codec<Object> of(Type type) {
    return ComponentCodecs.find(type, List.of()).codec();
  }

  /** Texts as UTF-8. */
  public static Codec<String> string() {
    return STRING;
  }

  /** Integers of 64 bits, small ones short. */
  public static Codec<Long> longs() {
    return LONG;
  }

  /** Integers of 32 bits, small ones short. */
  public static Codec<Integer> integers() {
    return INTEGER;
  }

  /** Arrays of bytes, which are copied in and out. */
  public static Codec<byte[]> bytes() {
    return BYTES;
  }

  /** The value of a set's members: no bytes. */
  public static Codec<Boolean> present() {
    return PRESENT;
  }
}
