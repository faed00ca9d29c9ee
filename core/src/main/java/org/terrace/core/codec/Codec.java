package org.terrace.core.codec;

/**
 * The encoding of one type's values as bytes, and their copying. Implementations are immutable and
 * thread-safe.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
  /** Writes the value. */
  void encode(T value, Encoder out);

  /**
   * Reads a value.
   *
   * @throws MalformedDataException if the bytes are no such value
   */
  T decode(Decoder in);

  /**
   * Whether values can never change once made, so that collections may keep and hand out the very
   * object instead of a copy.
   */
  boolean isImmutable();

  /** The value's bytes. */
  default byte[] toBytes(T value) {
    Encoder out = new Encoder();
    encode(value, out);
    return out.toBytes();
  }
}
