package org.terrace.seven.application;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.RecordCodec;
import org.terrace.invocation.BusinessException;

/**
 * The padding that brings replies to a size that is asked for, as an additional argument of every
 * call of a workload does.
 *
 * <p>A reply's size is the number of bytes that {@link RecordCodec} makes of its record. The
 * padding is a text in a component of its own; since the length before it grows from one byte to
 * two, one size in between cannot be had with one text, and takes a second, empty one.
 *
 * <p>Stateless and thread-safe; encodes the reply once. Source of the sizes: Dumitraş, Srivastava,
 * Narasimhan, "The magical 1 %", section 3.3, "Size of the reply messages".
 */
public final class Padding {
  /** The reply's own size. */
  public static final int ORIGINAL = 0;

  /** The largest size that may be asked for. */
  public static final int REPLY_BYTES_MAX = 16_000;

  /** The number of the component and the length of a text in it. */
  private static final int SHORT_TEXT_OVERHEAD = 2;

  private static final int SHORT_TEXT_MAX = 127;
  private static final int LONG_TEXT_OVERHEAD = 3;

  private static final ClassValue<ReplyType> TYPES =
      new ClassValue<>() {
        @Override
        protected ReplyType computeValue(Class<?> type) {
          return ReplyType.of(type.asSubclass(Record.class));
        }
      };

  private Padding() {}

  /**
   * The reply in exactly that many bytes, or as it is when {@link #ORIGINAL} is asked for or when
   * there is no room for padding ({@value #SHORT_TEXT_OVERHEAD} bytes at least).
   *
   * @param replyBytes 0 to {@value #REPLY_BYTES_MAX}
   */
  public static <R extends Record & Reply> R to(int replyBytes, R reply) {
    if (replyBytes == ORIGINAL) {
      return reply;
    }
    if (replyBytes < 0 || replyBytes > REPLY_BYTES_MAX) {
      throw new BusinessException(
          "bad-reply-size", "A reply has 0 to " + REPLY_BYTES_MAX + " bytes, not " + replyBytes);
    }
    int missing = replyBytes - bytes(reply);
    if (missing < SHORT_TEXT_OVERHEAD) {
      return reply;
    }
    if (missing <= SHORT_TEXT_OVERHEAD + SHORT_TEXT_MAX) {
      return padded(reply, text(missing - SHORT_TEXT_OVERHEAD), null);
    }
    if (missing == LONG_TEXT_OVERHEAD + SHORT_TEXT_MAX) {
      return padded(reply, text(SHORT_TEXT_MAX - 1), "");
    }
    return padded(reply, text(missing - LONG_TEXT_OVERHEAD), null);
  }

  /** The size of a reply in bytes. */
  public static <R extends Record & Reply> int bytes(R reply) {
    Encoder out = new Encoder();
    encode(TYPES.get(reply.getClass()).codec(), reply, out);
    return out.length();
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> void encode(RecordCodec<R> codec, Object reply, Encoder out) {
    codec.encode((R) reply, out);
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record & Reply> R padded(
      R reply, String padding, @Nullable String rest) {
    return (R) TYPES.get(reply.getClass()).with(reply, padding, rest);
  }

  private static String text(int length) {
    return ".".repeat(length);
  }

  /** A type of replies: how it is encoded, and how a copy with other last components is made. */
  private record ReplyType(
      RecordCodec<?> codec, List<Method> components, Constructor<?> constructor) {

    static ReplyType of(Class<? extends Record> type) {
      List<Method> components = new ArrayList<>();
      List<Class<?>> types = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        components.add(component.getAccessor());
        types.add(component.getType());
      }
      try {
        return new ReplyType(
            RecordCodec.of(type),
            components,
            type.getDeclaredConstructor(types.toArray(Class<?>[]::new)));
      } catch (NoSuchMethodException e) {
        throw new AssertionError("every record has its canonical constructor", e);
      }
    }

    Object with(Object reply, String padding, @Nullable String rest) {
      @Nullable Object[] values = new @Nullable Object[components.size()];
      try {
        for (int i = 0; i < values.length - 2; i++) {
          values[i] = components.get(i).invoke(reply);
        }
        values[values.length - 2] = padding;
        values[values.length - 1] = rest;
        return constructor.newInstance(values);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(reply.getClass() + " must be a public record", e);
      }
    }
  }
}
