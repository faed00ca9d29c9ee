package org.terrace.invocation.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * One method of a service's interface: its name on the wire and the codecs of its arguments and
 * result. Immutable and thread-safe.
 */
public final class ServiceMethod {
  private static final byte[] NO_BYTES = {};

  /**
   * The number of zeros that are a value of most types: a number, an empty text or list, a record.
   */
  private static final int[] SAMPLE_BYTES = {1, 0, 4, 8, 16};

  private final Method method;
  private final String wireName;
  private final boolean update;
  private final Codec<Object>[] parameters;
  private final boolean[] primitive;
  private final @Nullable Codec<Object> result;

  @SuppressWarnings({"unchecked", "rawtypes"})
  ServiceMethod(Method method, String wireName, boolean update) {
    this.method = method;
    this.wireName = wireName;
    this.update = update;
    Type[] types = method.getGenericParameterTypes();
    parameters = new Codec[types.length];
    primitive = new boolean[types.length];
    for (int i = 0; i < types.length; i++) {
      parameters[i] = Codecs.of(types[i]);
      primitive[i] = method.getParameterTypes()[i].isPrimitive();
    }
    result = method.getReturnType() == void.class ? null : Codecs.of(method.getGenericReturnType());
    method.setAccessible(true);
  }

  /** The method. */
  public Method method() {
    return method;
  }

  /** The Java name, for people. */
  public String name() {
    return method.getName();
  }

  /** Name and signature's hash, as calls carry it. */
  public String wireName() {
    return wireName;
  }

  /** Whether it changes state. */
  public boolean isUpdate() {
    return update;
  }

  /** The bytes of the arguments. */
  public byte[] encodeArguments(@Nullable Object @Nullable [] arguments) {
    return encodeArguments(arguments, new Encoder());
  }

  /** The bytes of the arguments, written by an encoder that has written nothing yet. */
  public byte[] encodeArguments(@Nullable Object @Nullable [] arguments, Encoder out) {
    if (arguments == null || arguments.length == 0) {
      return NO_BYTES;
    }
    for (int i = 0; i < parameters.length; i++) {
      encode(parameters[i], arguments[i], out);
    }
    return out.toBytes();
  }

  /**
   * The arguments of the bytes.
   *
   * @throws MalformedDataException if they are no arguments of this method
   */
  public @Nullable Object[] decodeArguments(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    @Nullable Object[] arguments = new @Nullable Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      arguments[i] = decode(parameters[i], in);
      if (arguments[i] == null && primitive[i]) {
        throw new MalformedDataException("argument " + (i + 1) + " of " + wireName + " is missing");
      }
    }
    if (in.remaining() > 0) {
      throw new MalformedDataException(
          in.remaining() + " bytes too many for the arguments of " + wireName);
    }
    return arguments;
  }

  /** The bytes of a result; none for a method without one. */
  public byte[] encodeResult(@Nullable Object value) {
    if (result == null) {
      return NO_BYTES;
    }
    Encoder out = new Encoder();
    encode(result, value, out);
    return out.toBytes();
  }

  /**
   * The result of the bytes; null for a method without one.
   *
   * @throws MalformedDataException if they are no result of this method
   */
  public @Nullable Object decodeResult(byte[] bytes) {
    return result == null ? null : decode(result, new Decoder(bytes));
  }

  /**
   * Arguments that were encoded and decoded like those of a call: zero or empty where the type has
   * such a value, absent elsewhere.
   */
  public @Nullable Object[] sampleArguments() {
    @Nullable Object[] samples = new @Nullable Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      samples[i] = sample(parameters[i]);
    }
    return decodeArguments(encodeArguments(samples));
  }

  /** A result that the method could have; null for one without, or of a type without a zero. */
  public @Nullable Object sampleResult() {
    return result == null ? null : sample(result);
  }

  private static @Nullable Object sample(Codec<Object> codec) {
    for (int bytes : SAMPLE_BYTES) {
      try {
        Decoder in = new Decoder(new byte[bytes]);
        Object value = codec.decode(in);
        if (in.remaining() == 0) {
          return value;
        }
      } catch (RuntimeException noValue) {
        // The next number of zeros may be one.
      }
    }
    return null;
  }

  private static void encode(Codec<Object> codec, @Nullable Object value, Encoder out) {
    if (value == null) {
      out.putByte(0);
    } else {
      out.putByte(1);
      out.putSized(codec, value);
    }
  }

  private static @Nullable Object decode(Codec<Object> codec, Decoder in) {
    return switch (in.getByte()) {
      case 0 -> null;
      case 1 -> in.getSized(codec);
      default -> throw new MalformedDataException("expected 0 for absent or 1 for a value");
    };
  }
}
