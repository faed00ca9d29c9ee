package org.terrace.seven;

import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.RecordCodec;
import org.terrace.invocation.BusinessException;

/**
 * Brings replies to a size that is asked for, as an additional argument of every call of a workload
 * does.
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

  private static final ClassValue<RecordCodec<?>> CODECS =
      new ClassValue<>() {
        @Override
        protected RecordCodec<?> computeValue(Class<?> type) {
          return RecordCodec.of(type.asSubclass(Record.class));
        }
      };

  private Padding() {}

  /**
   * The reply in exactly that many bytes, or as it is when {@link #ORIGINAL} is asked for or when
   * there is no room for padding ({@value #SHORT_TEXT_OVERHEAD} bytes at least).
   *
   * @param replyBytes 0 to {@value #REPLY_BYTES_MAX}
   */
  public static <R extends Record & Reply<R>> R to(int replyBytes, R reply) {
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
      return reply.padded(text(missing - SHORT_TEXT_OVERHEAD), null);
    }
    if (missing == LONG_TEXT_OVERHEAD + SHORT_TEXT_MAX) {
      return reply.padded(text(SHORT_TEXT_MAX - 1), "");
    }
    return reply.padded(text(missing - LONG_TEXT_OVERHEAD), null);
  }

  /** The size of a reply in bytes. */
  @SuppressWarnings("unchecked")
  public static <R extends Record & Reply<R>> int bytes(R reply) {
    RecordCodec<R> codec = (RecordCodec<R>) CODECS.get(reply.getClass());
    Encoder out = new Encoder();
    codec.encode(reply, out);
    return out.length();
  }

  private static String text(int length) {
    return ".".repeat(length);
  }
}
